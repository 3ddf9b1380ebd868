import { EngineError, errorBody } from '../../base/error.ts';
import type { CliPermission, CliTurn, ModelAnswer } from '../../model/model.ts';
import { isRefusal } from '../../store/outage.ts';
import type { Change } from '../../store/store.ts';
import type { Api } from '../../config/config.ts';
import { listApprovals } from '../../guard/approval.ts';
import type { CliTurns, CliWork } from '../cli-work.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ModelEffect } from '../step/effect.ts';
import { recordOf } from '../run.ts';
import { promptOf } from '../../model/cli/prompt.ts';
import { lapsePermissions } from './permission.ts';
import { PermissionRequests, type Settle } from './permission-requests.ts';
import { readMarks } from './prompt-marks.ts';

/** An answer, with what is to be stored in the same commit. */
export interface SentAnswer {
  readonly answer: ModelAnswer;
  readonly changes: readonly Change[];
}

/**
 * Sends a request to a command-line agent: in a copy of its folder where it may work in one, with its permission requests judged, else for
 * text alone. A tool that insists on a prompt is asked again without the folder, and the answer says so. Rejects as `Model.ask` and
 * `CliTurns.begin` do; on abort once the tool has ended and the copy is removed.
 */
export async function sendCliTurn(
  deps: Dependencies,
  cliTurns: CliTurns,
  { steps, effect, signal }: { readonly steps: Settle; readonly effect: ModelEffect; readonly signal: AbortSignal },
  send: (cli: CliTurn) => Promise<ModelAnswer>,
): Promise<SentAnswer> {
  const { hidden } = cliTurns;
  await dropOld(deps, steps, effect);
  const isSummary = effect.summaryUpTo !== undefined || effect.isSummary === true;
  const work = !isSummary ? await beginWork(deps, cliTurns, effect, signal) : undefined;
  if (work === undefined) return sendInSession(deps, cliTurns, effect, send);
  try {
    const { dir, mode } = work;
    const requests = new PermissionRequests(deps, steps, effect, work);
    const onPermission = (request: CliPermission, options: { readonly signal?: AbortSignal | undefined }) =>
      requests.ask(request, options);
    const answer = await send({ roaming: { dir, mode, hidden }, hidden, onPermission, ...sessionOf(effect.api) });
    return { answer, changes: await work.finished() };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isPrompt(error)) return await withoutFolder(work, send, { hidden }, error);
    throw await work.failed(error);
  } finally {
    // Before the copy is removed, and whatever happened: nobody waits for these answers any more.
    await dropOld(deps, steps, effect);
    await work.end();
  }
}

/** A session belongs to its folder, and each turn in a folder has a copy of its own. */
function sessionOf(api: Api): Pick<CliTurn, 'session'> {
  const isKept = api.provider === 'cli' && api.sessions === 'resume';
  return isKept ? { session: { whyFresh: 'each turn in a folder works in a new copy' } } : {};
}

/** Asks for text alone: in the session of the last turn where that is kept and has read what the prompt says before what is new. */
async function sendInSession(
  { store }: Dependencies,
  { hidden, session: take }: CliTurns,
  effect: ModelEffect,
  send: (cli: CliTurn) => Promise<ModelAnswer>,
): Promise<SentAnswer> {
  const { root, machine, turn, api, messages, summaryUpTo } = effect;
  const marks = summaryUpTo === undefined ? readMarks(promptOf(messages)) : undefined;
  const row = marks && take && (await store.get('run', { id: root }));
  const work = row && (await take?.({ run: recordOf(row).run, machine, turn, api }));
  if (work === undefined || marks === undefined) return { answer: await send({ hidden }), changes: [] };
  try {
    const { dir, kept, whyFresh } = work;
    // A later request of the run has more messages than the prompt.
    const isSame = kept !== undefined && turn === 1 && marks.seen === kept.seen;
    const changed = kept === undefined ? whyFresh : 'what the session has read of the chat has changed since';
    const ids: string[] = [];
    const answer = await send({
      hidden,
      session: {
        ...{ dir, onKept: (id) => void ids.push(id) },
        ...(isSame ? { resume: { id: kept.id, prompt: marks.news } } : { whyFresh: changed ?? '' }),
      },
    });
    const id = turn === 1 ? ids.at(-1) : undefined;
    return { answer, changes: id === undefined ? [] : work.finished({ id, seen: marks.whole, upTo: marks.upTo }) };
  } finally {
    await work.end();
  }
}

async function beginWork(
  { store }: Dependencies,
  cliTurns: CliTurns,
  { root, machine, turn, api }: ModelEffect,
  signal: AbortSignal,
): Promise<CliWork | undefined> {
  const row = await store.get('run', { id: root });
  return row === undefined ? undefined : cliTurns.begin({ run: recordOf(row).run, machine, turn, api }, { signal });
}

/** Ends the requests of an earlier attempt, or of a tool that has ended: their answers would reach nobody. */
async function dropOld({ store }: Dependencies, steps: Settle, { root, machine: id }: ModelEffect): Promise<void> {
  const pending = await listApprovals(store, root, 'pending').catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
  // What the store refuses to say now, the step finds out, which is repeated.
  if (pending?.some(({ kind, machine }) => kind === 'permission' && machine === id) === false) return;
  await steps.settle(root, async (step) => {
    const machine = await step.machine(id);
    if (machine !== undefined) await lapsePermissions(step, machine, 'the tool that asked has ended');
  });
}

/** Whether a tool has failed because it asks for something on a terminal. */
function isPrompt(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'MODEL_TOOL_PROMPT';
}

/** Asks again for text alone, and says in the answer why. */
async function withoutFolder(
  work: CliWork,
  send: (cli: CliTurn) => Promise<ModelAnswer>,
  cli: CliTurn,
  cause: unknown,
): Promise<SentAnswer> {
  const answer = await send(cli);
  const { message } = errorBody(cause);
  const note = `> This answer was given without the folder: ${message.replace(/\s+/g, ' ').slice(0, 500)}\n\n`;
  const { content } = answer.message;
  const changed = { ...answer, message: { ...answer.message, content: note + (content ?? '') } };
  return { answer: changed, changes: await work.finished() };
}

/** Whether an api starts a command-line agent. */
export function isCommandLine(api: Api | undefined): boolean {
  return api?.provider === 'cli';
}
