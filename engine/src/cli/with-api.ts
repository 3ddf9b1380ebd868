import { isRecord } from '../base/json.ts';
import { type ApiClient, createClient } from './client.ts';
import type { CommandContext } from './context.ts';
import { findServer } from './server-file.ts';

/**
 * Calls `work` with a client of the running server, or of a temporary server on the data folder. `isDriving`: the temporary
 * server also processes runs; without it, changes take effect at the next start. `DATA_LOCKED` if another process has the data
 * folder and no server answers.
 */
export async function withApi<T>(
  context: CommandContext,
  options: { readonly isDriving: boolean },
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const live = await findServer(context.dataDir);
  if (live !== undefined) return work(reportingDamage(createClient(live, true), context));
  // Loaded only here: a command on a running server needs none of these modules.
  const { openCommandServer } = await import('../app/command-server.ts');
  const server = await openCommandServer(context, options);
  try {
    return await work(reportingDamage(createClient(server, false), context));
  } finally {
    await server.close();
  }
}

/**
 * Calls `work` with a client of the running server. Without one, the client reads what it is asked for from the data folder, in a fraction of
 * the time that it takes to open a temporary server: for work that only asks for routes of `ROW_ROUTES`. A shared database has processes to
 * agree with, so there a temporary server answers.
 */
export async function withRows<T>(
  context: CommandContext,
  work: (client: Pick<ApiClient, 'request'>) => Promise<T>,
): Promise<T> {
  const live = await findServer(context.dataDir);
  if (live !== undefined) return work(reportingDamage(createClient(live, true), context));
  if ((context.env('DATABASE_URL') ?? '') !== '') return withApi(context, { isDriving: false }, work);
  const { openRowReader } = await import('../app/read/row-reader.ts');
  const reader = await openRowReader(context);
  if (!reader.hasFolder)
    context.say(`there is no data folder ${context.dataDir}: check --config and --data, or run callsheet start`);
  try {
    return await work({
      async request<T>(_method: string, path: string) {
        const answer = await reader.get(path);
        reportDamage(answer, context);
        return answer as T;
      },
    });
  } finally {
    await reader.close();
  }
}

/** A client that says on stderr which rows an answer leaves out because they cannot be read. */
function reportingDamage(client: ApiClient, context: CommandContext): ApiClient {
  return {
    ...client,
    async request<T>(...request: Parameters<ApiClient['request']>): Promise<T> {
      const answer = await client.request<T>(...request);
      reportDamage(answer, context);
      return answer;
    },
  };
}

function reportDamage(answer: unknown, { say }: CommandContext): void {
  const damaged: unknown = isRecord(answer) ? answer['damaged'] : undefined;
  for (const row of Array.isArray(damaged) ? damaged : [])
    if (isRecord(row)) say(`left out, it cannot be read: ${String(row['table'])} ${String(row['key'])}`);
}
