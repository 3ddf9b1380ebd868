import type { RunCost, SpendLine, SpendState } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';

/** Spend of the last days; the key is their number. */
export const spend = createResource((days, signal) =>
  request<SpendState>('GET', `/api/spend?${new URLSearchParams({ days })}`, { signal }),
);

let day = '';
/** The runs of one day. */
export const runsOfDay = createPagedList<RunCost>('/api/spend/runs', () => ({ day, limit: '50' }));

/** Shows the runs of a UTC day. */
export function loadRunsOf(wanted: string): void {
  if (day !== wanted) runsOfDay.items.value = [];
  day = wanted;
  void runsOfDay.load();
}

/** Known use, and whether there is more whose price is unknown. */
export interface Total {
  readonly key: string;
  /** What the table calls it. */
  readonly label: string;
  readonly runs: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly isPartly: boolean;
}

/** Who worked: a director, an agent for a person, a participant of a chat by name, or the embeddings of memories. */
export function whoOf({
  directorId,
  agentId,
  agentName,
}: Pick<SpendLine, 'directorId' | 'agentId' | 'agentName'>): string {
  if (agentId === undefined) return directorId || 'embeddings';
  return agentName === undefined ? `agent ${agentId}` : `${agentName} in a chat`;
}

/** The key of a line in the table by day, by who, or by api. Participants of two chats may have the same name. */
export const KEYS = {
  day: (line: SpendLine) => line.day,
  who: ({ directorId, agentId }: SpendLine) => `${directorId}/${agentId ?? ''}`,
  api: (line: SpendLine) => line.apiId,
} as const;

/** Sums of the lines by key, in the order of their first lines, which give the labels. */
export function totals(
  lines: readonly SpendLine[],
  keyOf: (line: SpendLine) => string,
  labelOf: (line: SpendLine) => string = keyOf,
): readonly Total[] {
  const sums = new Map<string, Total>();
  for (const line of lines) {
    const key = keyOf(line);
    const { runs, turns, inputTokens, outputTokens, cost, isPartly } = sums.get(key) ?? empty(key);
    const label = sums.get(key)?.label ?? labelOf(line);
    sums.set(key, {
      ...{ key, label, runs: runs + line.runs, turns: turns + line.turns },
      ...{ inputTokens: inputTokens + line.inputTokens, outputTokens: outputTokens + line.outputTokens },
      ...{ cost: cost + (line.cost ?? 0), isPartly: isPartly || line.cost === null },
    });
  }
  return [...sums.values()];
}

/** No use. */
export function empty(key: string): Total {
  return { key, label: key, runs: 0, turns: 0, inputTokens: 0, outputTokens: 0, cost: 0, isPartly: false };
}

/** All days of the period, oldest first, those without use included. */
export function daysUntil(today: string, count: number): readonly string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** A cost in US dollars. An unknown part is said: `$0.12 + unknown`. */
export function money({ cost, isPartly = false }: { readonly cost: number; readonly isPartly?: boolean }): string {
  if (isPartly && cost === 0) return 'unknown';
  const digits = cost === 0 || cost >= 1 ? 2 : 4;
  return `$${cost.toFixed(digits)}${isPartly ? ' + unknown' : ''}`;
}
