import { timeOfId } from '../../base/id.ts';
import type { UserMessage } from '../../guard/guard.ts';
import { isGated } from '../../guard/needs-time.ts';
import { runsOfConversation } from '../conversation.ts';
import type { LedgerBody, LedgerState } from '../ledger.ts';
import { isPersonsMessage, recordOf, type Run } from '../run.ts';
import { readThread } from '../thread.ts';
import { answersOf } from '../person-answers.ts';
import type { Actor } from './actor.ts';
import { factsOf, type Machine } from './machine.ts';
import type { Step } from './step.ts';

/** Messages of a session or a conversation that are read at most. What a person wrote before them is too long ago for a call of today. */
const MOST_MESSAGES = 20;
/** How long a message of a conversation counts, in milliseconds: a time in last week's question says nothing about today's. */
const WORDS_HOLD_MS = 86_400_000;

/**
 * What a person wrote, the newest message first: the answers to questions of this run, its message, and in a session or a
 * conversation those before it. Nothing where a mail or a program started the run and no person answered. Each message is read when it is asked for.
 */
export async function* userWordsOf(step: Step): AsyncIterable<UserMessage> {
  const { run } = step.runState.record;
  const words = wordsOf(run);
  let calls = (await step.machine(run.id))?.facts.gated ?? {};
  for (const { answer, gated = {} } of await answersOf(step.draft, run.id)) {
    yield { text: answer, calls: since(calls, gated) };
    calls = gated;
  }
  if (words === undefined) return;
  yield { text: words, calls };
  for (const id of await earlierRuns(step, run)) {
    const row = await step.draft.get('run', { id });
    const text = row === undefined ? undefined : wordsOf(recordOf(row).run);
    const machine = text === undefined ? undefined : await step.draft.get('machine', { id });
    if (text !== undefined) yield { text, calls: machine === undefined ? {} : (factsOf(machine).gated ?? {}) };
  }
}

function wordsOf(run: Run): string | undefined {
  return isPersonsMessage(run) ? run.trigger.message : undefined;
}

/** The runs of the session or the conversation before this one, the newest first. */
async function earlierRuns(step: Step, { id, sessionId, conversationId }: Run): Promise<readonly string[]> {
  if (conversationId !== undefined) {
    const before = (await runsOfConversation(step.draft, conversationId)).filter((run) => run !== id);
    return before.filter((run) => timeOfId(run) >= timeOfId(id) - WORDS_HOLD_MS).slice(0, MOST_MESSAGES - 1);
  }
  const thread = sessionId === undefined ? undefined : await readThread(step.draft, sessionId);
  const runs = thread?.opened?.runs ?? [];
  return runs
    .slice(0, Math.max(0, runs.indexOf(id)))
    .slice(1 - MOST_MESSAGES)
    .reverse();
}

/** The calls of a count that an earlier count does not have. */
function since(calls: Counts, earlier: Counts): Counts {
  return Object.fromEntries(
    Object.entries(calls).map(([tool, count]) => [tool, Math.max(0, count - countOf(earlier, tool))]),
  );
}

type Counts = Readonly<Record<string, number>>;

function countOf(counts: Counts, tool: string): number {
  return Object.hasOwn(counts, tool) ? (counts[tool] ?? 0) : 0;
}

/** Counts a call that is launched, where its tool is behind a gate; returns the mark of its ledger row. */
export async function countGated(
  step: Step,
  machine: Machine,
  { layers }: Actor,
  tool: string,
): Promise<Pick<LedgerBody, 'isGated'>> {
  const context = { layers, config: step.runState.config, newest: step.deps.config.current() };
  if (!isGated(tool, context)) return {};
  await count(step, machine, tool, 1);
  return { isGated: true };
}

/** Takes a call that did not happen out of the count, so that what the user said holds for another call. */
export async function uncountGated(
  step: Step,
  machine: Machine,
  { tool, isGated: wasCounted = false }: Pick<LedgerBody, 'tool' | 'isGated'>,
  { state, code }: { readonly state: LedgerState; readonly code: string | undefined },
): Promise<void> {
  if (wasCounted && state !== 'done' && code !== 'TOOL_OUTCOME_UNKNOWN') await count(step, machine, tool, -1);
}

/** Notes that nobody knows whether a call of a tool happened: from then on a person is asked before this run makes another one. */
export async function noteUnknown(
  step: Step,
  { root }: Machine,
  tool: string,
  code: string | undefined,
): Promise<void> {
  const machine = code === 'TOOL_OUTCOME_UNKNOWN' ? await step.machine(root) : undefined;
  if (machine === undefined || machine.facts.unknown?.includes(tool)) return;
  machine.facts = { ...machine.facts, unknown: [...(machine.facts.unknown ?? []), tool] };
  machine.isChanged = true;
}

async function count(step: Step, { root }: Machine, tool: string, by: 1 | -1): Promise<void> {
  const machine = await step.machine(root);
  if (machine === undefined) return;
  const { gated = {} } = machine.facts;
  const before = countOf(gated, tool);
  machine.facts = { ...machine.facts, gated: { ...gated, [tool]: Math.max(0, before + by) } };
  machine.isChanged = true;
}
