/** A payoff that an engine expects, for people: its sign always, and no more digits than it is worth. */
export function expected(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = String(Number(Math.abs(value).toFixed(digits)));
  if (text === '0') return '0';
  return (value > 0 ? '+' : '−') + text;
}
