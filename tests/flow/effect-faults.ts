import { type ApprovalRecord } from '../../engine/src/guard/approval.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import type { LedgerBody } from '../../engine/src/run/ledger.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { type Happening, type World, WRITES } from './outside-world.ts';

/** A row of the ledger. */
export interface Call extends LedgerBody {
  readonly machine: string;
  readonly state: string;
}

/** What a store says about effects, and what happened. */
export interface Account {
  readonly store: Store;
  readonly world: readonly Happening[];
  /** By idempotency key. */
  readonly calls: ReadonlyMap<string, Call>;
  readonly approvals: readonly ApprovalRecord[];
}

export async function takeAccount(store: Store, world: World): Promise<Account> {
  const calls = (await store.list('ledger')).map(({ machine, call, state, body }) => {
    return [`${machine}/${call}`, { machine, state, ...(JSON.parse(body) as LedgerBody) }] as const;
  });
  const approvals = (await store.list('approval')).map(({ body }) => JSON.parse(body) as ApprovalRecord);
  return { store, world: world.read(), calls: new Map(calls), approvals };
}

/** Effects that happened more than once. */
export function doubled(world: readonly Happening[]): string[] {
  const seen = new Set<string>();
  return world.flatMap(({ tool, key }) => (seen.has(key) ? [`${tool} ${key}`] : (seen.add(key), [])));
}

/** Keys of writes that are on record as done. */
export function saidDone({ calls }: Account): string[] {
  return [...calls].flatMap(([key, { state, tool }]) => (state === 'done' && WRITES.has(tool) ? [key] : []));
}

/** Writes that are on record as done and never happened. */
export function neverDone(account: Account): string[] {
  const happened = new Set(account.world.map(({ key }) => key));
  return saidDone(account).filter((key) => !happened.has(key));
}

/** What happened and is not on record, or otherwise than it happened. */
export function offRecord({ world, calls }: Account): string[] {
  return world.flatMap((happening) => {
    const { key, tool, what } = happening;
    const call = calls.get(key);
    const isOnRecord = call?.tool === tool && call.arguments['what'] === what;
    return isOnRecord ? [] : [`${JSON.stringify(happening)} is on record as ${JSON.stringify(call)}`];
  });
}

/** What happened although the model was told that it did not. */
export async function denied({ store, world, calls }: Account): Promise<string[]> {
  const wrong: string[] = [];
  for (const { key, tool } of world) {
    const call = calls.get(key);
    const answer = call === undefined ? '' : await answerTo(store, call);
    const isKnown = answer.includes(`"did":"${key}"`);
    if (!isKnown && !answer.includes('TOOL_OUTCOME_UNKNOWN')) wrong.push(`${tool} ${key} (${call?.state}): ${answer}`);
  }
  return wrong;
}

/** Calls that were given up because nobody could know, without a person who said so. */
export function unasked({ calls, approvals }: Account): string[] {
  return [...calls].flatMap(([key, { state, error, approvalId }]) => {
    if (state !== 'denied' || error?.code !== 'TOOL_OUTCOME_UNKNOWN') return [];
    const approval = approvals.find(({ id }) => id === approvalId);
    return approval?.status === 'denied' && isAboutUnknown(approval) ? [] : [`${key}: ${JSON.stringify(approval)}`];
  });
}

/** Effects of the tool that asks which no person has allowed, neither by themselves nor with others of their run. */
export async function unallowed({ store, world, approvals }: Account): Promise<string[]> {
  const roots = new Map((await store.list('machine')).map(({ id, root }) => [id, root]));
  const runs = new Map((await store.list('run')).map((row) => [row.id, recordOf(row).run]));
  const allowed = approvals
    .filter(({ status }) => status === 'allowed')
    .map(({ machine, call }) => `${machine}/${call}`);
  return world.flatMap(({ tool, key }) => {
    const machine = key.slice(0, key.lastIndexOf('/', key.lastIndexOf('/') - 1));
    const rules = runs.get(roots.get(machine) ?? '')?.allowed ?? [];
    const isAllowed = tool !== 'pay' || allowed.includes(key) || rules.some(({ pattern }) => pattern === tool);
    return isAllowed ? [] : [`${tool} ${key}`];
  });
}

/** Whether a person was asked because the outcome of an effect was not known. */
export function isAboutUnknown({ reason }: ApprovalRecord): boolean {
  return reason.includes('may have happened');
}

async function answerTo(store: Store, { machine, callId }: Call): Promise<string> {
  const row = await store.get('machine', { id: machine });
  const { facts } = JSON.parse(row?.body ?? '{}') as { facts: { threadId: string } };
  const messages = await readMessages(store, facts.threadId);
  const answer = messages.find((message) => message.role === 'tool' && message.tool_call_id === callId);
  return String(answer?.content);
}
