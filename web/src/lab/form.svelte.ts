/*
 * What the forms of the lab have in common: the games on offer, the one that is chosen, and the agents that can play it.
 * To be made while a component is being set up, since it follows the game by an effect.
 */
import { games as askGames } from '../lib/api';
import type { AgentEntry, Description, GameEntry } from '../lib/wire';

export class GameAndAgents {
  games = $state.raw<GameEntry[]>();
  spec = $state('');
  /** What the game is, once the server has said it. */
  description = $state.raw<Description>();
  /** Whether `description` is of what the fields make now. */
  settled = $state(false);
  /** The agents that can play the game `offeredFor`. */
  offered = $state.raw<AgentEntry[]>([]);
  offeredFor = $state('');
  failure = $state<string>();
  /** Not while another game is being looked up: the one before would be played. */
  ready = $derived(this.settled && this.offeredFor !== '' && this.offeredFor === this.description?.spec);

  /** With the game of `spec`, or the first one; `taken` is called with the agents of each game that is chosen. */
  constructor(
    spec: string,
    askAgents: (game: string, signal: AbortSignal) => Promise<AgentEntry[]>,
    taken: (list: AgentEntry[]) => void,
  ) {
    this.spec = spec;
    askGames().then((entries) => {
      this.games = entries;
      if (!entries.some(({ id }) => id === this.spec.split(':')[0])) this.spec = entries[0]?.id ?? '';
    }, this.fail);
    $effect(() => {
      const game = this.description?.spec;
      if (game === undefined) return;
      const control = new AbortController();
      askAgents(game, control.signal).then(
        (list) => {
          [this.offered, this.offeredFor] = [list, game];
          taken(list);
        },
        (error: Error) => {
          if (!control.signal.aborted) this.fail(error);
        },
      );
      return () => control.abort();
    });
  }

  fail = (error: unknown): void => {
    this.failure = error instanceof Error ? error.message : String(error);
  };
}
