import { sleep } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { isOk, sendLocal } from '../../local-request.ts';
import { findServer } from '../../server-file.ts';

/** Time until the next look for a running server. */
const RETRY_MS = 3000;

/** Calls `onChange` after each change of the config of the running server, until `signal` is aborted. */
export async function followConfig(
  dataDir: string,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const server = await findServer(dataDir);
      if (server !== undefined) await readStream(server, { signal, onChange });
      await sleep(RETRY_MS, { signal, clock: systemClock });
    } catch {
      // The server ended, or nobody waits any more: `signal` says which.
    }
  }
}

async function readStream(
  { url, token }: { readonly url: string; readonly token: string },
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
): Promise<void> {
  const answer = await sendLocal(`${url}/api/stream`, { headers: { Authorization: `Bearer ${token}` }, signal });
  if (!isOk(answer)) return void answer.destroy();
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) {
    const lines = (text + String(chunk)).split('\n');
    text = lines.pop() ?? '';
    if (lines.includes('event: config')) onChange();
  }
}
