// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Analysis } from './analysis.svelte';
import { toasts } from './toasts.svelte';
import type { AgentEntry, AnalysisRequest } from './wire';

afterEach(() => vi.unstubAllGlobals());

/** A game in which chance always acts, shown at its start. Replies to what is asked then wait until they are let go. */
async function openLater() {
  const asked: (readonly string[])[] = [];
  const waiting: ((reply: Response) => void)[] = [];
  const reply = (line: readonly string[]) => {
    const plies = line.map((token) => ({ token, by: 'chance', text: token }));
    const seats = ['level:1', 'Ann', 'South', null].map((occupant, i) => ({
      name: ['North', 'East', 'South', 'West'][i],
      occupant,
    }));
    const position = { n_own: 0, n_plies: line.length, plies_from: 0, plies, seats, to_act: 'chance', choices: {} };
    return new Response(`${JSON.stringify({ type: 'position', ...position })}\n{"type":"end"}\n`);
  };
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    const { line } = JSON.parse(init.body) as AnalysisRequest;
    asked.push(line ?? []);
    return new Promise((resolve) => waiting.push(resolve));
  });
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => {});
  const letGo = (what = reply(asked[asked.length - waiting.length] ?? [])) => waiting.shift()?.(what);
  const opened = analysis.open('', '');
  letGo();
  await opened;
  return { analysis, asked, letGo };
}

test('nothing is played while the position that is shown is another one', async () => {
  const { analysis, asked, letGo } = await openLater();
  expect(analysis.behind).toBe(false);
  for (const token of ['a', 'b']) analysis.play(token);
  analysis.playAll(['c', 'd']);
  expect([analysis.behind, analysis.path]).toEqual([true, ['a']]);
  letGo();
  await vi.waitFor(() => expect(analysis.behind).toBe(false));
  expect(analysis.position?.n_plies).toBe(1);
  analysis.play('b');
  expect(asked.at(-1)).toEqual(['a', 'b']);
  // What is known is shown at once.
  analysis.step(-2);
  expect([analysis.behind, analysis.position?.n_plies]).toEqual([false, 0]);
  analysis.close();
});

test('where a position cannot be had, the one that is shown stays', async () => {
  const { analysis, letGo } = await openLater();
  analysis.play('a');
  letGo();
  await vi.waitFor(() => expect(analysis.behind).toBe(false));
  analysis.play('b');
  letGo(new Response('{"code":"play/illegal","message":"No."}', { status: 422 }));
  await vi.waitFor(() => expect(analysis.path).toEqual(['a']));
  expect(analysis.behind).toBe(false);
  expect(toasts.list.map(({ text }) => text)).toContain('No.');
  // Nor does a ply of the tree lead away where the server fails.
  analysis.variations = analysis.variations.add(['x', 'y']);
  analysis.goTo(['x']);
  letGo(new Response('{"code":"server/failed","message":"Failed."}', { status: 500 }));
  await vi.waitFor(() => expect(analysis.path).toEqual(['a']));
  expect(analysis.behind).toBe(false);
  analysis.close();
});

test('engines that held a seat are called by their names', async () => {
  const { analysis } = await openLater();
  analysis.offered = [{ spec: 'level:1', name: 'Beginner (level 1)', group: 'levels' } as AgentEntry];
  const names = analysis.view?.seats.map(({ occupant }) => occupant);
  expect(names).toEqual(['Beginner (level 1)', 'Ann', 'South', null]);
  analysis.close();
});

test('of two agents one is refused while the other goes on', async () => {
  const asked: AnalysisRequest[] = [];
  const write: ((message: object) => void)[] = [];
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    asked.push(JSON.parse(init.body) as AnalysisRequest);
    const start = (lines: ReadableStreamDefaultController) =>
      write.push((message) => lines.enqueue(new TextEncoder().encode(`${JSON.stringify(message)}\n`)));
    return Promise.resolve(new Response(new ReadableStream({ start })));
  });
  const position = { n_own: 0, n_plies: 0, plies_from: 0, plies: [], seats: [], to_act: [0], choices: {} };
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => {});
  analysis.agents = ['mirror', 'mcts'];
  void analysis.open('', '');
  await vi.waitFor(() => expect(write).toHaveLength(1));
  write[0]?.({ type: 'position', ...position });
  await vi.waitFor(() => expect(write).toHaveLength(2));
  expect(asked[1]?.agents).toEqual(['mirror', 'mcts']);
  write[1]?.({ type: 'error', agent: 0, code: 'agent/refused', message: 'mirror: nothing to reflect' });
  write[1]?.({ type: 'advice', agent: 1, seat: 0, candidates: [] });
  await vi.waitFor(() => expect(analysis.advice(1)).toBeDefined());
  expect(toasts.list.map(({ text }) => text)).toContain('mirror: nothing to reflect');
  expect([analysis.thinks, analysis.lost, analysis.advice(0)]).toEqual([true, false, undefined]);
  // The other one has not said everything yet.
  analysis.setAgents(['mcts', 'mirror']);
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]?.agents).toEqual(['mcts']);
  analysis.close();
});

describe('the curve of a game', () => {
  const REFUSED = 'dfpn does not play this';
  /** Opens a game whose curve is replied to with one point and then with these lines. Returns how often it is asked for. */
  async function traced(...ends: (object | undefined)[]) {
    const plies = ['p', 'q'].map((token) => ({ token, text: token, by: 0 }));
    const position = { n_own: 2, n_plies: 2, plies_from: 0, plies, seats: [], to_act: 'over', choices: {} };
    const point = { n_plies: 0, values: [0, 0], exact: false, best: 'p' };
    const reply = (...lines: (object | undefined)[]) =>
      new Response(lines.flatMap((line) => (line ? [`${JSON.stringify(line)}\n`] : [])).join(''));
    let nAsked = 0;
    vi.stubGlobal('fetch', async (path: string) =>
      path.includes('curve')
        ? reply({ type: 'curve', points: [point], losses: [], worst: [], progress: 0.1 }, ends[nAsked++])
        : reply({ type: 'position', ...position }, { type: 'end' }),
    );
    const analysis = new Analysis({ kind: 'table', table: 't' }, () => {});
    analysis.agents = ['dfpn'];
    await analysis.open('', '');
    await vi.waitFor(() => expect(analysis.curveRuns).toBe(false));
    return { analysis, nAsked: () => nAsked };
  }

  test('is asked for again where the reply was cut off', async () => {
    const { analysis, nAsked } = await traced(undefined, { type: 'end' });
    expect([analysis.curve.progress, nAsked()]).toEqual([0.1, 1]);
    await vi.waitFor(() => expect(analysis.curve.progress).toBe(1), 5_000);
    expect(nAsked()).toBe(2);
    analysis.close();
  });

  test('that was cut off is not asked for again once the page is left', async () => {
    const { analysis, nAsked } = await traced(undefined);
    analysis.close();
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(nAsked()).toBe(1);
  });

  test('is not taken for whole where it was refused, and that is said', async () => {
    const { analysis } = await traced({ type: 'error', code: 'agent/refused', message: REFUSED });
    expect([analysis.curve.progress, analysis.curve.points.size]).toEqual([0.1, 1]);
    expect(toasts.list.map(({ text }) => text)).toContain(REFUSED);
    analysis.close();
  });
});

test('a line of a link that is still being checked changes nothing once the page is left', async () => {
  const signals: AbortSignal[] = [];
  const position = { n_own: 0, n_plies: 0, plies_from: 0, plies: [], seats: [], to_act: 'chance', choices: {} };
  vi.stubGlobal('fetch', (_: string, init: { body: string; signal: AbortSignal }) => {
    const { line = [] } = JSON.parse(init.body) as AnalysisRequest;
    if (line.length === 0) {
      return Promise.resolve(new Response(`${JSON.stringify({ type: 'position', ...position })}\n{"type":"end"}\n`));
    }
    signals.push(init.signal);
    return new Promise((_, refuse) => init.signal.addEventListener('abort', () => refuse(init.signal.reason)));
  });
  let nChanges = 0;
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => nChanges++);
  await analysis.open('', '');
  analysis.adopt(analysis.variations.add(['a']));
  expect(signals).toHaveLength(1);
  const before = nChanges;
  analysis.close();
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  await new Promise((resolve) => setTimeout(resolve));
  expect([nChanges, analysis.variations.lines]).toEqual([before, [['a']]]);
});

for (const [status, body, kept] of [
  [502, '<html>Bad Gateway</html>', true],
  [500, '{"code":"server/internal","message":"something went wrong"}', true],
  [400, '{"code":"ply/illegal","message":"a is not legal"}', false],
] as const) {
  test(`a line of a link that is replied to with ${status} is ${kept ? 'kept' : 'left out'}`, async () => {
    const position = { n_own: 0, n_plies: 0, plies_from: 0, plies: [], seats: [], to_act: 'chance', choices: {} };
    vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
      const { line = [] } = JSON.parse(init.body) as AnalysisRequest;
      if (line.length > 0) return new Response(body, { status });
      return new Response(`${JSON.stringify({ type: 'position', ...position })}\n{"type":"end"}\n`);
    });
    const analysis = new Analysis({ kind: 'position', game: 'any' }, () => {});
    await analysis.open('', '');
    analysis.adopt(analysis.variations.add(['a']));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(analysis.variations.lines).toEqual(kept ? [['a']] : []);
    analysis.close();
  });
}

/** A game in which chance acts for so many plies, and no ply is called `zz`. */
function server(nDrawn: number): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const { line = [] } = JSON.parse(init.body) as AnalysisRequest;
    asked.push(line.join(' '));
    if (line.includes('zz')) return new Response('{"code":"play/illegal","message":"zz"}', { status: 422 });
    const plies = line.map((token) => ({ token, by: 'chance', text: token }));
    const outcomes = [{ token: '~1', weight: 1 }];
    const to_act = line.length < nDrawn ? 'chance' : [0];
    const position = { n_own: 0, n_plies: line.length, plies_from: 0, plies, seats: [], to_act, choices: {}, outcomes };
    return new Response(`${JSON.stringify({ type: 'position', ...position })}\n{"type":"end"}\n`);
  });
  return asked;
}

test('a link is followed while another place is shown, and nothing that was tried is lost', async () => {
  server(9);
  let nChanges = 0;
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => nChanges++);
  await analysis.open('0 a b c', '1.3');
  analysis.follow('0 a b c', '1.1');
  expect(analysis.path).toEqual(['a']);
  // A link counts its own lines.
  analysis.follow('0 x y', '1.2');
  expect(analysis.path).toEqual(['x', 'y']);
  expect(analysis.variations.lines).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ]);
  // A place alone is one of the tree that is here.
  analysis.follow('', '2.1');
  expect(analysis.path).toEqual(['x']);
  await vi.waitFor(() => expect(analysis.position?.n_plies).toBe(1));
  expect(nChanges).toBe(4);
  analysis.close();
});

test('of a line of a link as much is shown as can be played, and what is wrong is said', async () => {
  server(9);
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => {});
  await analysis.open('0 a b zz c d e', '1.6');
  await vi.waitFor(() => expect(analysis.variations.lines).toEqual([['a', 'b']]));
  await vi.waitFor(() => expect(analysis.behind).toBe(false));
  expect(analysis.failure).toBeUndefined();
  expect(analysis.position).toBeDefined();
  expect(toasts.list.map(({ text }) => text)).toContain('A line of the link was left out: zz');
  analysis.follow('nonsense', '');
  expect(toasts.list.at(-1)?.text).toMatch('cannot be read');
  analysis.follow('0 a b', '7.1');
  expect(toasts.list.at(-1)?.text).toMatch('a position that is not in its lines');
  expect(analysis.path).toEqual(['a', 'b']);
  analysis.close();
});

test('chance draws until somebody is to act', async () => {
  const asked = server(4);
  const analysis = new Analysis({ kind: 'position', game: 'any' }, () => {});
  await analysis.open('', '');
  expect(await analysis.drawsOn()).toBe(true);
  await analysis.drawAll();
  expect(analysis.path).toEqual(['~1', '~1', '~1', '~1']);
  expect([analysis.behind, analysis.drawing, analysis.position?.to_act]).toEqual([false, false, [0]]);
  // What is known is not asked for again.
  expect(asked).toEqual(['', '~1', '~1 ~1', '~1 ~1 ~1', '~1 ~1 ~1 ~1']);
  expect(await analysis.drawsOn()).toBe(false);
  analysis.close();
});
