import { errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { MailSummary } from '../../mail/mail.ts';
import type { ToolLists } from '../../tool/run-tools.ts';
import type { Caller, WorldTool } from '../../tool/tool.ts';
import { isOpen, intend, mark, readCall } from '../ledger.ts';
import { type ChosenApis, chooseApis, shownApis } from '../lifecycle/choose-apis.ts';
import { documentsOf } from '../lifecycle/create.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import { type LinkedThread, type Objective, withLine } from '../objective/objective.ts';
import { withAnswer } from '../objective/silent.ts';
import { effectId } from '../step/effect.ts';
import { limitsOf } from '../step/run-limits.ts';
import type { Machine } from '../step/machine.ts';
import type { RunState } from '../step/run-state.ts';
import type { Step } from '../step/step.ts';
import type { CallResult } from '../step/tool-result.ts';
import { lapse } from '../turn/drop-calls.ts';
import { openQuestion } from '../ask/question.ts';
import { fail } from './role-end.ts';
import { contextOf, directorOf, recordOf } from './objective-of.ts';
import { lastWords, mailTools, readUnfetched } from './read-thread.ts';
import { storedMails, type Unfetched, type UnfetchedMail } from './thread-mails.ts';

const DAY_MS = 86_400_000;
/** Name of the engine's own call at a wake. No tool has it. */
const WAKE = 'wake';
const callOf = (number: number) => `${WAKE}/${number}`;

/** Whether a call of a tool with this key is a wake that reads in a mailbox, and no call of the run. */
export function isWakeKey(key: string): boolean {
  return key.endsWith(`/${WAKE}`);
}

/** The effect of a wake, to begin it again after a restart. */
export const wakeWork = (number: number) => ({ call: callOf(number), action: 'openWake', params: { number } });

/** What the engine finds out before a wake works: a step never waits for the network. */
interface Found extends Unfetched {
  readonly config: Snapshot;
  readonly apis: ChosenApis;
  readonly toolLists: ToolLists;
  /** Ids of the threads on which somebody else has written since. */
  readonly answeredOn: readonly string[];
  /** What the user wrote last on the threads, where nobody has said what the user wants; `''` where the mailbox holds no such mail. */
  readonly words: string;
}

/** Mails of the linked threads that the wake read and the store does not have; gone after a restart, when the store has most of them. */
const unfetched = new WeakMap<RunState, Unfetched>();

/** What the current wake found in mailboxes. */
export function unfetchedMails(runState: RunState): Unfetched {
  return unfetched.get(runState) ?? { mails: [], skipped: [] };
}

/** Begins a wake: takes the newest config, chooses its apis and reads the linked threads in their mailboxes. */
export async function openWake(step: Step, root: Machine, { number }: { readonly number: number }): Promise<void> {
  const call = callOf(number);
  if ((await readCall(step.draft, root.id, call)) === undefined) {
    await intend(step.draft, root.id, call, { callId: call, tool: WAKE, arguments: {} });
    await withdrawQuestion(step, root);
  }
  const objective = await recordOf(step);
  const { threads, userQuery, proposal } = objective;
  const isWishOpen = userQuery === '' && proposal === undefined;
  const stored = await Promise.all(
    threads.map(async (thread) => ({ thread, known: await storedMails(step.deps.store, thread) })),
  );
  const actor = step.actors.resolve(step.runState, root.facts);
  const tool: WorldTool = {
    ...{ name: WAKE, family: WAKE, description: '', parameters: {}, effects: 'read', repeat: 'free' },
    run: (_args, { signal }) => look(step, root, { stored, objective, isWishOpen, caller: actor.caller }, signal),
  };
  step.launches.push({
    ...{ kind: 'tool', root: root.root, machine: root.id, call, tool, arguments: {}, caller: actor.caller },
    ...{ isTainted: false, isRepeat: false, expectAllowed: () => Promise.resolve() },
    settledBy: 'settleWake',
  });
}

/** Drops the reading of a wake that a person or a limit has ended. */
export async function dropWake(step: Step, root: Machine, { number }: { readonly number: number }): Promise<void> {
  const row = await readCall(step.draft, root.id, callOf(number));
  if (row === undefined || !isOpen(row)) return;
  await mark(step.draft, row, 'cancelled');
  step.abort(effectId({ machine: root.id, call: row.call }));
}

/** A question that something else has overtaken is withdrawn; the planner may ask it again. */
async function withdrawQuestion(step: Step, root: Machine): Promise<void> {
  const question = await openQuestion(step.draft, root.id);
  if (question !== undefined) await lapse(step, question.id);
  if (step.runState.record.run.outage !== undefined) step.patchRun({ outage: undefined });
  await changeObjective(step, (objective) =>
    objective.question === null ? objective : { ...objective, question: null },
  );
}

/** What a wake looks for. */
interface Sought {
  readonly stored: readonly { readonly thread: LinkedThread; readonly known: readonly MailSummary[] }[];
  readonly objective: Objective;
  /** Nobody has said what the user wants, and intake has not proposed it. */
  readonly isWishOpen: boolean;
  readonly caller: Caller;
}

async function look(
  { deps, runState }: Step,
  root: Machine,
  { stored, objective, isWishOpen, caller }: Sought,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const newest = deps.config.current();
  // A director that was deleted or disabled goes on as it was.
  const config = newest.directors.has(root.facts.directorId) ? newest : runState.config;
  const director = config.directors.get(root.facts.directorId);
  if (director === undefined) throw new Error(`there is no director "${root.facts.directorId}"`);
  const apis = await chooseApis(deps, config, director, root.id);
  const names = [...director.tools, ...director.agents.flatMap((id) => config.agents.get(id)?.tools ?? [])];
  const toolLists = await deps.tools.pin(config, names);
  const tools = mailTools(deps.tools.of(config));
  const mails: UnfetchedMail[] = [];
  const skipped: Unfetched['skipped'][number][] = [];
  const answeredOn: string[] = [];
  let words = '';
  for (const { thread, known } of stored) {
    if (tools === undefined) break;
    const context = { caller, key: `${root.id}/${WAKE}`, ...(signal !== undefined && { signal }) };
    try {
      const more = await readUnfetched(tools, { thread, known, objective }, context);
      if (more === undefined) continue;
      if (isWishOpen) words = (await lastWords(tools.read, more, context)) || words;
      mails.push(...more.mails);
      skipped.push(...more.skipped);
      if (more.isAnswered) answeredOn.push(thread.threadId);
    } catch (error) {
      signal?.throwIfAborted();
      // Without the mailbox the wake works with the stored mails.
      deps.log.warn('a thread could not be read in its mailbox', { run: root.id, ...errorBody(error) });
    }
  }
  return { config, apis, toolLists, mails, skipped, answeredOn, words };
}

/** Takes what was found: the run has the newest config from here on. */
export async function settleWake(step: Step, root: Machine, call: string, result: CallResult): Promise<void> {
  const rootId = root.id;
  // The value comes from the effect of this process, as it was made.
  const found = 'value' in result ? (result.value as Found) : undefined;
  const row = await readCall(step.draft, rootId, call);
  if (row === undefined || !isOpen(row)) return;
  await mark(step.draft, row, found === undefined ? 'failed' : 'done');
  if (found === undefined) {
    return fail(step, root, 'error' in result ? result.error : { code: 'INTERNAL', message: 'the wake failed' });
  }
  await adopt(step, root, found);
  const isAnswered = found.answeredOn.length > 0;
  unfetched.set(step.runState, found);
  const director = directorOf(step, root);
  const { maxWakes, maxCost, maxDays, followUp } = director.objective;
  const { createdAt } = step.runState.record.run;
  const cost = root.facts.spent?.cost ?? 0;
  const { wakes, why } = contextOf(root);
  const { followUp: followed, readMails = [] } = await changeObjective(step, (objective) => ({
    ...found.answeredOn.reduce((before, threadId) => withAnswer(before, { threadId }), objective),
    wakes,
    followUp: { ...objective.followUp, max: followUp.max, ...(isAnswered && { nextAt: null }) },
    ...(objective.userQuery === '' && found.words !== '' && { userQuery: found.words }),
    ...(isAnswered &&
      why === 'date' && {
        history: withLine(objective, step.now, {
          kind: 'wake',
          text: 'The follow-up was dropped: somebody has answered',
        }).history,
      }),
  }));
  if (maxCost !== undefined && cost >= maxCost) {
    const message = `stopped after $${cost.toFixed(2)} of $${maxCost.toFixed(2)} (objective.maxCost)`;
    return step.send(rootId, { type: 'FAIL', at: step.now, failure: { code: 'LIMIT_BUDGET', message } });
  }
  const { maxTurns, timeMs } = await limitsOf(step, root.facts);
  await step.send(rootId, {
    type: 'WOKEN',
    at: step.now,
    limits: { maxTurns, timeMs },
    life: { maxWakes, maxFollowUps: followUp.max, endsAt: Date.parse(createdAt) + maxDays * DAY_MS },
    followUps: followed.sent,
    isNew: found.mails.some(({ messageId }) => !readMails.includes(messageId)) || why !== 'date',
    isAnswered,
  });
}

/** Pins the run to the newest revision, and begins the budget of the wake. */
async function adopt(step: Step, root: Machine, { config, apis, toolLists }: Found): Promise<void> {
  const { runState, deps, now } = step;
  const { run } = runState.record;
  const director = config.directors.get(run.directorId);
  if (director === undefined) return;
  if (config.revision !== run.revision) {
    step.draft.append(...(await deps.config.keep(config.revision, now)));
    await changeObjective(step, (objective) =>
      withLine(objective, now, { kind: 'wake', text: 'The newest config was taken' }),
    );
  }
  runState.adopt(config, toolLists);
  const { filterId } = run;
  const documents = documentsOf(config, director, filterId === undefined ? {} : { filterId });
  step.patchRun({
    ...{ revision: config.revision, documents: { ...run.documents, ...documents }, ...shownApis(apis.apis) },
    ...(Object.keys(toolLists).length > 0 && { toolLists }),
  });
  root.facts = {
    ...root.facts,
    ...{ revision: config.revision, apiId: apis.api.id, agentApis: apis.agents },
    ...(root.facts.spent !== undefined && { spentBefore: root.facts.spent }),
  };
  root.isChanged = true;
}
