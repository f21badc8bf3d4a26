/** Replies of the server in lines of JSON, each read as soon as it is there. */

import { ApiError, unreachable } from './api';
import type { Refusal } from './wire';

/**
 * Posts `body`, or asks without one, and hands over each line of the reply. Ends when the reply does; aborting ends the
 * work of the server too.
 */
export async function readLines<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  online: (line: T) => void,
): Promise<void> {
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const init: RequestInit = { ...(body === undefined ? {} : posted), signal };
  const response = await fetch(path, init).catch((error: unknown) => {
    throw signal.aborted ? error : new ApiError('page/offline', unreachable());
  });
  if (!response.ok || !response.body) {
    const refusal = (await response.json().catch(() => null)) as Partial<Refusal> | null;
    throw new ApiError(
      refusal?.code ?? `http/${response.status}`,
      refusal?.message ?? `The server replied with ${response.status} ${response.statusText}.`,
      refusal?.param,
      refusal?.column,
    );
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new ApiError('page/offline', unreachable());
    });
    if (done) break;
    const [last = '', ...whole] = (rest + value).split('\n').reverse();
    rest = last;
    for (const line of whole.reverse()) if (line !== '') online(JSON.parse(line) as T);
  }
  if (rest !== '') online(JSON.parse(rest) as T);
}
