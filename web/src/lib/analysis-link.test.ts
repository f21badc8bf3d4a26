import { describe, expect, it } from 'vitest';
import { analysisAt, isAnalysis } from './addresses';
import { agentsQuery, analysisOf, fragment, isAlone, readLink, sourceQuery } from './analysis-link';
import { Variations } from './variations';
import type { View } from './wire';

const seat = (kind: 'human' | 'engine') => ({
  name: 'X',
  tone: 'black' as const,
  occupant: null,
  kind,
  connected: true,
});

function view(change: Partial<View>): View {
  const seats = [seat('human'), seat('engine')];
  const some = {
    table: 'abc',
    game: 'hex:size=7',
    seats,
    you: [0],
    private_to: null,
    start: null,
    position: 'now',
    result: null,
  };
  return { ...some, ...change } as View;
}

const PLIES = [{ text: 'a1' }, { text: '~x=2' }];
const RESULT = { payoffs: [1, -1], end: 'line', sentence: 'X wins.' };

describe('the address of an analysis', () => {
  it('is the table’s once the game is over', () => {
    const people = { seats: [seat('human'), seat('human')] };
    expect(analysisOf(view({ ...people, result: RESULT }), PLIES)).toBe('./analysis?table=abc');
  });

  it('is none while people play each other, and none for who watches', () => {
    expect(analysisOf(view({ seats: [seat('human'), seat('human')] }), PLIES)).toBeUndefined();
    expect(analysisOf(view({ seats: [seat('human'), seat('engine'), seat('human')] }), PLIES)).toBeUndefined();
    expect(analysisOf(view({ you: [] }), PLIES)).toBeUndefined();
    expect(isAlone(view({ seats: [seat('human')] }))).toBe(true);
  });

  it('has the plies of a game alone, and where there are secrets only what its seat sees', () => {
    const address = analysisOf(view({}), PLIES) ?? '';
    const { pathname, search, hash } = new URL(address, 'http://raichi.example/');
    const { source, tree, place } = readLink(pathname, search, hash);
    expect(source).toEqual({ kind: 'position', game: 'hex:size=7' });
    const read = Variations.read([], tree);
    expect(read.main).toEqual(['a1', '~x=2']);
    expect(read.readPlace(place)).toEqual(['a1', '~x=2']);
    expect(analysisOf(view({ private_to: 0, position: '?? seen-by=0' }), PLIES)).toBe(
      './analysis?game=hex%3Asize%3D7&position=%3F%3F+seen-by%3D0',
    );
  });

  it('keeps the agents that are asked', () => {
    const source = { kind: 'position', game: 'hex:size=4', position: '4 a' } as const;
    const agents = ['trained:first', 'mcts:time=200ms,evaluator=first'];
    const query = agentsQuery(sourceQuery(source), agents);
    const asked = readLink('/analysis', `?${query}`, '');
    expect(asked.agents).toEqual(agents);
    expect(asked.source).toEqual(source);
    expect(agentsQuery(sourceQuery(source), [])).toBe(sourceQuery(source));
  });

  it('does not depend on the agents asked nor on how the address is written', () => {
    const [one, other] = ['?game=hex&position=4+a&agent=random', '?position=4%20a&game=hex'];
    expect(analysisAt('/analysis', one)).toBe(analysisAt('/analysis', other));
    expect(analysisAt('/setup', other)).not.toBe(analysisAt('/analysis', other));
    expect(analysisAt('/analysis', '?game=hex')).not.toBe(analysisAt('/analysis', other));
  });

  it('can be read back', () => {
    expect(isAnalysis('/analysis') && isAnalysis('/setup') && !isAnalysis('/t/analysis')).toBe(true);
    const source = { kind: 'position', game: 'sim', position: 'a/b 0' } as const;
    expect(readLink('/setup', `?${sourceQuery(source)}`, '')).toEqual({
      source,
      tree: '',
      place: '',
      agents: [],
      setsUp: true,
    });
    expect(readLink('/analysis', '', '').source).toBeUndefined();
    const own = Variations.of(['a', 'b']);
    expect(fragment(own, ['a', 'b'])).toBe('');
    expect(readLink('/analysis', '?table=t', fragment(own, ['a'])).place).toBe('0.1');
  });
});
