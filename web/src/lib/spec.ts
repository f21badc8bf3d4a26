/** Between the fields of the new-table dialog and a spec, `hex:size=7,swap=true`. */

import type { ParamSpec } from './wire';

/** What has a name and a default: a parameter of a game, an option of a learner. */
type Named = Pick<ParamSpec, 'name' | 'default'>;

/** What the fields hold, by parameter name; empty where the parameter is left to the game. */
export type Fields = Record<string, string>;

/** The fields as the game declares them. */
export function defaults(params: Named[]): Fields {
  return Object.fromEntries(params.map((param) => [param.name, param.default ?? '']));
}

/** The spec of the fields. Defaults and empty fields are left out. */
export function specText(id: string, params: Named[], fields: Fields): string {
  const entries = params
    .map((param) => ({ param, value: (fields[param.name] ?? '').trim() }))
    .filter(({ param, value }) => value !== '' && value !== param.default)
    .map(({ param, value }) => `${param.name}=${value}`);
  return entries.length === 0 ? id : `${id}:${entries.join(',')}`;
}

/** The fields that a spec's text sets, the others at their defaults. */
export function fieldsOf(params: Named[], spec: string): Fields {
  const fields = defaults(params);
  const colon = spec.indexOf(':');
  if (colon < 0) return fields;
  for (const entry of spec.slice(colon + 1).split(',')) {
    const [key, value] = entry.split('=', 2);
    if (key !== undefined && value !== undefined && key in fields) fields[key] = value;
  }
  return fields;
}

/** Whether a spec's text says something that no field can hold, such as a parameter that the game has not. */
export function hasStrangers(params: ParamSpec[], spec: string): boolean {
  const colon = spec.indexOf(':');
  if (colon < 0) return false;
  const known = (entry: string) => params.some(({ name }) => entry.startsWith(`${name}=`));
  return !spec
    .slice(colon + 1)
    .split(',')
    .every(known);
}

/** The next value of a whole-number field up (`by` = 1) or down (−1), within its declared range. */
export function stepped(kind: { min: number; max: number; step: number }, text: string, by: 1 | -1): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return String(by > 0 ? kind.min : kind.max);
  const onGrid = kind.min + Math.round((value - kind.min) / kind.step) * kind.step;
  return String(Math.min(kind.max, Math.max(kind.min, onGrid + by * kind.step)));
}
