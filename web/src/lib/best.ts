/** The best result of each game that a person has played alone, kept in this browser. */

const PREFIX = 'raichi.best.';

export class Best {
  constructor(private readonly storage: Storage) {}

  /** The best payoff of a game with its parameters; nothing where it was never finished. */
  of(spec: string): number | undefined {
    const kept = this.storage.getItem(PREFIX + spec);
    const best = kept === null ? Number.NaN : Number(kept);
    return Number.isFinite(best) ? best : undefined;
  }

  /** Takes note of a result; returns whether it is better than all before. */
  note(spec: string, payoff: number): boolean {
    const before = this.of(spec);
    if (before !== undefined && before >= payoff) return false;
    try {
      this.storage.setItem(PREFIX + spec, String(payoff));
    } catch {
      // Private windows may refuse storage; it is then forgotten with the page.
    }
    return true;
  }
}
