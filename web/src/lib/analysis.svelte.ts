/**
 * A position under analysis: where it is in the tree of what was tried, what agents think of it as they look deeper, and
 * what the whole game was worth. The tree is part of the address, so that everybody who has the link has it too, and the
 * browser keeps it with the game; so does the server, where the game is a finished one of a table (`record-tree.ts`).
 */

import { SvelteMap } from 'svelte/reactivity';
import { agentName } from './agent-name';
import { ApiError, unreachable } from './api';
import type { ValueMark } from './board';
import { drawn } from './chance';
import { readLines } from './lines';
import { PositionBoard } from './position-board.svelte';
import { toasts } from './toasts.svelte';
import { marksOf, type Range, rangeOf } from './values';
import { begins, type Line, shared, Variations } from './variations';
import type {
  AgentEntry,
  AnalysedPly,
  AnalysedPosition,
  AnalysisMessage,
  AnalysisRequest,
  CandidateView,
  Choices,
  CurvePoint,
  PlyLoss,
  Refusal,
  Source,
} from './wire';

export type Advice = Extract<AnalysisMessage, { type: 'advice' }>;

/** Positions that are remembered with what was found there. */
const MOST_KEPT = 300;
/** So many outcomes are drawn one after the other; no deal of the games is longer. */
const MOST_DRAWN = 400;
/** How long to wait before the server is asked again. */
const RETRY_MS = 2_000;

/** What is known of a position. */
interface Known {
  position: AnalysedPosition;
  /** By agent and seat. */
  advice: Map<string, Advice>;
  /** The agents that have nothing more to say. */
  done: Set<string>;
}

export interface Curve {
  points: ReadonlyMap<number, CurvePoint>;
  losses: ReadonlyMap<number, PlyLoss>;
  /** The plies that lost most, the worst first. */
  worst: number[];
  progress: number;
}

const NO_CURVE: Curve = { points: new Map(), losses: new Map(), worst: [], progress: 0 };

export class Analysis extends PositionBoard {
  variations = $state.raw(Variations.of([]));
  /** The plies to the position that is asked for. */
  path = $state.raw<Line>([]);
  /** Why nothing can be shown. */
  failure = $state.raw<ApiError>();
  /** Whether the server cannot be reached. */
  lost = $state(false);
  /** Whether agents are asked. */
  engine = $state(true);
  /** The specs of those who are asked, one or two. */
  agents = $state.raw<string[]>([]);
  /** All agents that can be asked. */
  offered = $state.raw<readonly AgentEntry[]>([]);
  /** Whose values are on the board. */
  shownAgent = $state(0);
  curve = $state.raw<Curve>(NO_CURVE);
  /** The line that the curve is of. */
  curveOf = $state.raw<Line>([]);
  curveRuns = $state(false);
  /** Whether chance draws one outcome after the other. */
  drawing = $state(false);
  /** Whether the agents still think about this position. */
  thinks = $state(false);
  /** The path to the position that is shown. */
  #seen = $state.raw<Line>();
  #advice = $state.raw(new Map<string, Advice>());
  #known = new Map<string, Known>();
  /** The list of plies shows them as soon as they are learned. */
  #plies = new SvelteMap<string, AnalysedPly>();
  #look: AbortController | undefined;
  #trace: AbortController | undefined;
  /** Aborted once the page is left. */
  #left = new AbortController();
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly source: Source,
    /** Takes note of what the address is to hold. */
    private readonly changed: () => void,
  ) {
    super();
  }

  /** Shows the end of what was played, or what a link says. */
  async open(tree: string, place: string): Promise<void> {
    const all = { of: this.source };
    await this.#ask(all, (position) => {
      const own = position.plies.slice(0, position.n_own).map(({ token }) => token);
      this.variations = Variations.of(own);
      this.#learn(own, position);
      this.variations = readTree(own, tree);
      this.goTo(placeIn(this.variations, tree, place));
      void this.#check();
      if (own.length > 0 && this.engine) this.trace();
    });
  }

  /** Goes where another link to the same game leads. What was tried here stays. */
  follow(tree: string, place: string): void {
    const { own } = this.variations;
    // The link counts its own lines. Without any, it may be about those that are here.
    const linked = tree === '' ? this.variations : readTree(own, tree);
    this.variations = this.variations.with(linked);
    this.goTo(placeIn(linked, tree, place));
    void this.#check();
  }

  close(): void {
    this.#left.abort();
    this.#look?.abort();
    this.#trace?.abort();
    clearTimeout(this.#retry);
  }

  /** Shows the position after these plies, which may be new. */
  goTo(path: Line): void {
    const added = this.variations.add(path);
    const isNew = added !== this.variations;
    this.variations = added;
    this.path = path;
    this.#show(isNew);
    this.changed();
  }

  step(by: number): void {
    const line = this.variations.onFrom(this.path);
    this.goTo(line.slice(0, Math.max(0, Math.min(line.length, this.path.length + by))));
  }

  /** Plays what was found or chosen. */
  play(token: string): void {
    this.playAll([token]);
  }

  /** Plays several plies from the shown position; none while that is still the position before. */
  playAll(tokens: Line): void {
    if (!this.behind) this.goTo([...this.path, ...tokens]);
  }

  /** Whether chance acts again after chance, as far as one of the outcomes tells. */
  async drawsOn(): Promise<boolean> {
    const { path } = this;
    const token = this.position?.outcomes[0]?.token;
    if (token === undefined || this.behind) return false;
    return (await this.#find([...path, token]))?.to_act === 'chance';
  }

  /** Draws as chance would until somebody is to act. The address holds the last position only. */
  async drawAll(): Promise<void> {
    if (this.behind || this.drawing) return;
    const { path: from } = this;
    this.drawing = true;
    try {
      let [line, position]: [Line, AnalysedPosition | undefined] = [from, this.position];
      while (position?.to_act === 'chance' && line.length - from.length < MOST_DRAWN) {
        const token = drawn(position.outcomes, Math.random());
        if (token === undefined) break;
        line = [...line, token];
        position = await this.#find(line);
        // Somebody went elsewhere meanwhile.
        if (this.path !== from) return;
      }
      this.goTo(line);
    } catch (error) {
      if (!this.#left.signal.aborted) toasts.error(asApiError(error).message);
    } finally {
      this.drawing = false;
    }
  }

  /** A slow agent keeps the server's answer, and with it the position, for seconds. */
  override get behind(): boolean {
    return this.path !== this.#seen;
  }

  protected override called(occupant: string): string {
    return agentName(occupant, this.offered);
  }

  /** Takes the last ply, and what was tried after it, out of the tree. */
  remove(path: Line): void {
    this.variations = this.variations.without(path);
    if (begins(this.path, path)) this.goTo(path.slice(0, -1));
    else this.changed();
  }

  /** Takes over a tree of the same game. The position that is shown stays in it. */
  adopt(tree: Variations): void {
    if (tree.isSame(this.variations)) return;
    this.variations = tree.add(this.path);
    void this.#check();
    this.changed();
  }

  /** Asks the agents, or stops asking. */
  setEngine(on: boolean): void {
    this.engine = on;
    this.#show(false);
    if (!on) this.#trace?.abort();
    else if (this.variations.own.length > 0) this.trace();
  }

  setAgents(agents: string[]): void {
    const { tracer } = this;
    this.agents = agents;
    this.shownAgent = Math.min(this.shownAgent, Math.max(0, agents.length - 1));
    if (!this.position) return;
    this.changed();
    this.#show(false);
    if (this.tracer !== tracer && this.curveOf.length > 0) this.trace();
  }

  // The position

  /** Short for what was played, however long that was. */
  #key(path: Line): string {
    const n = shared(this.variations.own, path);
    return [n, ...path.slice(n)].join(' ');
  }

  #at(path: Line): Known | undefined {
    return this.#known.get(this.#key(path));
  }

  /** Shows what is known of the position, and asks for the rest. */
  #show(mayBeRefused: boolean): void {
    const known = this.#at(this.path);
    if (known) this.#see(known);
    const waiting = this.engine ? this.agents.filter((spec) => !known?.done.has(spec)) : [];
    this.#look?.abort();
    clearTimeout(this.#retry);
    this.thinks = false;
    if (known && (waiting.length === 0 || !Array.isArray(known.position.to_act))) return;
    void this.#lookAt(this.path, waiting, mayBeRefused);
  }

  async #lookAt(path: Line, agents: string[], mayBeRefused: boolean): Promise<void> {
    const control = new AbortController();
    this.#look = control;
    this.thinks = agents.length > 0;
    let ended = false;
    try {
      await readLines<AnalysisMessage>('api/analysis', this.#request(path, agents), control.signal, (message) => {
        if (control.signal.aborted) return;
        if (message.type === 'position') this.#see(this.#learn(path, message));
        else if (message.type === 'advice') this.#hear(path, agents[message.agent] ?? '', message);
        else if (message.type === 'error') this.#refuse(path, agents, message);
        else if (message.type === 'end') ended = true;
      });
      // The server was stopped in the middle of it.
      if (!ended) throw new ApiError('page/offline', unreachable());
      const known = this.#at(path);
      for (const spec of agents) known?.done.add(spec);
      this.lost = false;
    } catch (error) {
      if (control.signal.aborted) return;
      const known = this.#at(path);
      if (known && asApiError(error).code.startsWith('agent/')) {
        // The position is there; only the agent does not fit it.
        for (const spec of agents) known.done.add(spec);
        toasts.error(asApiError(error).message);
      } else this.#fail(error, path, mayBeRefused);
    }
    if (this.#look === control) this.thinks = false;
  }

  /** One of those who are asked may be refused while the others go on; another error is the end. */
  #refuse(path: Line, agents: string[], error: Refusal & { agent?: number | null }): void {
    const refused = agents[error.agent ?? -1];
    if (refused === undefined) throw new ApiError(error.code, error.message, error.param);
    this.#at(path)?.done.add(refused);
    toasts.error(error.message);
  }

  /** The one reply to a request without agents. */
  async #ask(request: AnalysisRequest, found: (position: AnalysedPosition) => void): Promise<void> {
    const control = new AbortController();
    this.#look = control;
    try {
      await readLines<AnalysisMessage>('api/analysis', request, control.signal, (message) => {
        if (message.type === 'position') found(message);
      });
    } catch (error) {
      if (!control.signal.aborted) this.failure = asApiError(error);
    }
  }

  #request(path: Line, agents: string[]): AnalysisRequest {
    const { own } = this.variations;
    const n = shared(own, path);
    // What was played is known already.
    return { of: this.source, n_plies: n, line: path.slice(n), plies_from: n, agents };
  }

  #learn(path: Line, position: AnalysedPosition): Known {
    const known: Known = this.#at(path) ?? { position, advice: new Map(), done: new Set() };
    for (const [i, ply] of position.plies.entries()) {
      this.#plies.set(this.#key(path.slice(0, position.plies_from + i + 1)), ply);
    }
    this.#known.set(this.#key(path), known);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #see(known: Known): void {
    const { position } = known;
    this.lost = false;
    this.#seen = this.path;
    this.#advice = new Map(known.advice);
    if (this.position !== position) this.show(position);
    else this.stay();
  }

  #hear(path: Line, spec: string, advice: Advice): void {
    const known = this.#at(path);
    if (!known) return;
    known.advice.set(`${spec} ${advice.seat}`, advice);
    if (this.#key(path) === this.#key(this.path)) this.#advice = new Map(known.advice);
  }

  #fail(error: unknown, path: Line, mayBeRefused: boolean): void {
    const refused = asApiError(error);
    if (refused.isPassing) {
      this.lost = true;
      this.#retry = setTimeout(() => this.#show(mayBeRefused), RETRY_MS);
    } else if (mayBeRefused && path.length > 0 && refused.isRefusal) {
      // What cannot be played is no part of the tree.
      toasts.error(refused.message);
      this.remove(path);
    } else if (!this.#seen && refused.isRefusal && path.length > this.variations.own.length) {
      // The link leads where nobody can go: what was played can be shown all the same.
      toasts.error(leftOut(refused));
      this.goTo(this.variations.own);
    } else if (this.#seen) {
      // The page stays where it was.
      this.path = this.#seen;
      this.stay();
      this.changed();
      toasts.error(refused.message);
    } else {
      this.failure = refused;
    }
  }

  /** Learns the plies of the lines of a link, and leaves out what cannot be played. */
  async #check(): Promise<void> {
    for (const line of this.variations.lines) {
      if (this.#plies.has(this.#key(line))) continue;
      try {
        await this.#find(line);
      } catch (error) {
        if (this.#left.signal.aborted) return;
        const refused = asApiError(error);
        if (!refused.isRefusal) return;
        const n = await this.#nPlayable(line);
        if (n === undefined || this.#left.signal.aborted) return;
        toasts.error(leftOut(refused));
        this.remove(line.slice(0, n + 1));
      }
    }
  }

  /** How many plies of a line that was refused can be played; undefined where that cannot be found out. */
  async #nPlayable(line: Line): Promise<number | undefined> {
    let [good, bad] = [shared(this.variations.own, line), line.length];
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      try {
        await this.#find(line.slice(0, middle));
        good = middle;
      } catch (error) {
        if (!asApiError(error).isRefusal) return undefined;
        bad = middle;
      }
    }
    return good;
  }

  /** Asks for a position that is not shown now. */
  async #find(line: Line): Promise<AnalysedPosition | undefined> {
    const known = this.#at(line);
    if (known) return known.position;
    await readLines<AnalysisMessage>('api/analysis', this.#request(line, []), this.#left.signal, (message) => {
      if (message.type === 'position') this.#learn(line, message);
    });
    return this.#at(line)?.position;
  }

  /** A ply of the tree, once it is known. */
  ply(path: Line): AnalysedPly | undefined {
    return this.#plies.get(this.#key(path));
  }

  // The whole game

  /** The agent that is asked about the whole game: the first that plays every seat. */
  get tracer(): string | undefined {
    const ofOneSeat = new Set(this.offered.filter(({ seat }) => seat !== null).map(({ spec }) => spec));
    return this.agents.find((spec) => !ofOneSeat.has(spec));
  }

  /** Asks what the main line was worth, ply by ply. What is known stays where nobody can be asked. */
  trace(): void {
    const { tracer: agent } = this;
    const line = this.variations.main;
    if (agent === undefined || line.length === 0) return;
    this.#trace?.abort();
    const control = new AbortController();
    this.#trace = control;
    this.curve = NO_CURVE;
    this.curveOf = line;
    this.curveRuns = true;
    let ended = false;
    const found = (message: AnalysisMessage) => {
      if (control.signal.aborted) return;
      if (message.type === 'error') throw new ApiError(message.code, message.message, message.param);
      if (message.type === 'end') ended = true;
      if (message.type !== 'curve') return;
      const points = new Map(this.curve.points);
      const losses = new Map(this.curve.losses);
      for (const point of message.points) points.set(point.n_plies, point);
      for (const loss of message.losses) losses.set(loss.ply, loss);
      this.curve = { points, losses, worst: message.worst, progress: message.progress };
    };
    readLines<AnalysisMessage>('api/analysis/curve', this.#request(line, [agent]), control.signal, found)
      .then(() => {
        // The server was stopped in the middle of it.
        if (!ended) throw new ApiError('page/offline', unreachable());
        this.curve = { ...this.curve, progress: 1 };
      })
      .catch((error: unknown) => {
        if (control.signal.aborted) return;
        const refused = asApiError(error);
        if (!refused.isPassing) toasts.error(refused.message);
        else setTimeout(() => !control.signal.aborted && this.trace(), RETRY_MS);
      })
      .finally(() => {
        if (this.#trace === control) this.curveRuns = false;
      });
  }

  /** What a ply of the main line lost, once that is known. */
  loss(path: Line): PlyLoss | undefined {
    return begins(this.curveOf, path) ? this.curve.losses.get(path.length) : undefined;
  }

  isWorst(path: Line): boolean {
    return begins(this.curveOf, path) && this.curve.worst.includes(path.length);
  }

  // What is found

  /** What an agent thinks of the position for the seat that is chosen for. */
  advice(agent: number): Advice | undefined {
    return this.#advice.get(`${this.agents[agent] ?? ''} ${this.acting}`);
  }

  get candidates(): CandidateView[] {
    return this.engine ? (this.advice(this.shownAgent)?.candidates ?? []) : [];
  }

  /** What an agent would touch that says why: what was played last and its answer are seen on the board together. */
  override get hinted(): string[] {
    const advice = this.engine ? this.advice(this.shownAgent) : undefined;
    return advice?.why ? (advice.candidates[0]?.path ?? []) : [];
  }

  /** What belongs together by what an agent says. */
  override get joined(): string[][] {
    return (this.engine && this.advice(this.shownAgent)?.why?.joined) || [];
  }

  get range(): Range {
    const { position } = this;
    const found = [...this.#advice.values()].flatMap(({ candidates }) => candidates.flatMap(({ values }) => values));
    const traced = [...this.curve.points.values()].flatMap(({ values }) => values);
    return rangeOf(position?.payoff_range ?? null, [...found, ...traced]);
  }

  /** The payoffs expected here, by seat. */
  get values(): number[] | undefined {
    if (this.position?.result) return this.position.result.payoffs;
    const best = this.advice(this.shownAgent)?.candidates[0]?.values;
    if (this.engine && best && best.length > 0) return best;
    if (!begins(this.curveOf, this.path)) return undefined;
    // Where chance is to act there is none: what it was worth before.
    const before = [...this.curve.points.keys()].filter((n) => n <= this.path.length);
    return before.length > 0 ? this.curve.points.get(Math.max(...before))?.values : undefined;
  }

  /** The token that was played here in the main line. */
  get played(): string | undefined {
    const line = this.variations.main;
    return begins(line, this.path) ? line[this.path.length] : undefined;
  }

  marks = $derived.by((): ReadonlyMap<string, ValueMark> | undefined => {
    if (this.candidates.length === 0) return undefined;
    return marksOf(this.candidates, this.acting, this.range, this.narrowing, this.prefix);
  });

  /** Asks what goes on from some touches. */
  protected async narrow(touched: string[]): Promise<void> {
    const { path, acting } = this;
    const body = { ...this.#request(path, []), seat: acting, touched };
    try {
      await readLines<Choices>('api/analysis/narrow', body, this.#left.signal, (choices) => {
        if (this.path === path && this.acting === acting) this.narrowing = this.narrowing.learn(touched, choices);
      });
    } catch (error) {
      if (this.#left.signal.aborted) return;
      toasts.error(asApiError(error).message);
      this.prefix = [];
    }
  }
}

/** Where a link leads in its tree: without a place to the end of its first line, or of what was played. */
function placeIn(variations: Variations, tree: string, place: string): Line {
  const found = variations.readPlace(place);
  const isWrong = !found && place !== '' && Variations.isReadable(variations.own, tree);
  if (isWrong) toasts.error('The link names a position that is not in its lines. This is their end.');
  return found ?? (tree ? variations.onFrom([]) : variations.own);
}

/** The lines of a link. What cannot be read of them is told. */
function readTree(own: Line, tree: string): Variations {
  if (!Variations.isReadable(own, tree)) toasts.error('A line of the link cannot be read. It may have been cut off.');
  return Variations.read(own, tree);
}

const leftOut = (refused: ApiError) => `A line of the link was left out: ${refused.message}`;

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError('page/failed', error instanceof Error ? error.message : String(error));
}
