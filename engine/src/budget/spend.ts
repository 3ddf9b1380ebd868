import { setImmediate } from 'node:timers/promises';
import { addCost, NOTHING, type ResourceUse } from './budget.ts';
import type { ChangeOf, Reader, Row, Store } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';

/** Model use: number of answers, tokens, and US dollars (null where a price is unknown). */
export interface ModelUse {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number | null;
}

/** No model use. */
export const NO_MODEL_USE: ModelUse = { turns: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** Adds two uses; an unknown cost makes the sum unknown. */
export function addSpent(a: ModelUse, b: ModelUse): ModelUse {
  return {
    turns: a.turns + b.turns,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cost: addCost(a.cost, b.cost),
  };
}

/** Total tokens and cost of all apis. */
export function useOf(apis: Readonly<Record<string, ModelUse>>): ResourceUse {
  const { inputTokens, outputTokens, cost } = Object.values(apis).reduce(addSpent, NO_MODEL_USE);
  return inputTokens + outputTokens === 0 && cost === 0 ? NOTHING : { tokens: inputTokens + outputTokens, cost };
}

/** Use of one run, on the UTC day of its end. It stays when a person deletes the run, and goes with retention. */
export interface RunSpend {
  readonly day: string;
  readonly runId: string;
  /** `''` where an agent worked for a person, and for embeddings of memories; then `runId` names a process. */
  readonly directorId: string;
  readonly agentId?: string;
  /** The name of that agent where the config has none of this id: a participant of a chat. */
  readonly agentName?: string;
  readonly apis: Readonly<Record<string, ModelUse>>;
}

/** The UTC day of a time, `2026-11-21`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Makes the change that stores the use of a run; `worker` where an agent worked for a person. */
export function spendChange(
  now: number,
  runId: string,
  directorId: string,
  apis: RunSpend['apis'],
  worker: Pick<RunSpend, 'agentId' | 'agentName'> = {},
): ChangeOf<'spend'> {
  const body = { directorId, ...worker, apis };
  return { op: 'put', table: 'spend', row: { day: dayOf(now), run: runId, body: JSON.stringify(body) } };
}

/** Rows per query: few enough to block the event loop for some milliseconds only. */
const BATCH = 500;

/** Reads the use of runs after `from` on a UTC day, in pages; the event loop runs in between. */
export async function* spendsOn(reader: Reader, day: string, from = ''): AsyncGenerator<RunSpend> {
  for (let after = from; ;) {
    const rows = await reader.list('spend', {
      where: [
        ['day', '=', day],
        ['run', '>', after],
      ],
      order: [['run', 'asc']],
      limit: BATCH,
    });
    yield* rows.map(spendOf);
    after = rows.at(-1)?.run ?? after;
    if (rows.length < BATCH) return;
    await setImmediate();
  }
}

/** Days with use since a day, newest first. */
async function* daysSince(reader: Reader, since: string): AsyncGenerator<string> {
  for (let before: string | undefined; ;) {
    const [row] = await reader.list('spend', {
      where: [['day', '>=', since], ...(before === undefined ? [] : [['day', '<', before] as const])],
      order: [['day', 'desc']],
      limit: 1,
      bodies: false,
    });
    if (row === undefined) return;
    yield (before = row.day);
  }
}

function spendOf(row: Row<'spend'>): RunSpend {
  return {
    day: row.day,
    runId: row.run,
    ...bodyOf<Omit<RunSpend, 'day' | 'runId'>>('spend', row),
  };
}

/** Deletes the use of the UTC days before that of `beforeMs`, in small commits. */
export async function deleteSpend(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('spend', { where: [['day', '<', dayOf(beforeMs)]], limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ day, run }) => ({ op: 'delete', table: 'spend', where: { day, run } })));
    await setImmediate();
  }
}

/** One line of `callsheet spend`. */
export interface SpendLine extends ModelUse {
  readonly day: string;
  readonly directorId: string;
  /** Set where an agent worked for a person; then there is no director. Embeddings of memories have neither. */
  readonly agentId?: string;
  /** Its name in its newest run, where it is a participant of a chat. */
  readonly agentName?: string;
  readonly apiId: string;
  readonly runs: number;
}

/** Use since a day, by day, director (or agent that worked for a person) and api; newest day first. */
export async function listSpend(reader: Reader, since: string): Promise<SpendLine[]> {
  const lines = new Map<string, SpendLine>();
  for await (const on of daysSince(reader, since))
    for await (const { day, directorId, agentId, agentName, apis } of spendsOn(reader, on)) {
      const isOfRun = directorId !== '' || agentId !== undefined;
      const who = {
        directorId,
        ...(agentId !== undefined && { agentId }),
        ...(agentName !== undefined && { agentName }),
      };
      for (const [apiId, spent] of Object.entries(apis)) {
        const key = [day, directorId, agentId ?? '', apiId].join('\0');
        const before = lines.get(key) ?? { ...NO_MODEL_USE, day, ...who, apiId, runs: 0 };
        lines.set(key, { ...before, ...who, ...addSpent(before, spent), runs: before.runs + (isOfRun ? 1 : 0) });
      }
    }
  return [...lines.values()];
}
