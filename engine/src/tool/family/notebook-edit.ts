import { EngineError } from '../../base/error.ts';
import type { FileOperation } from '../../config/permissions.ts';
import { changeFile, findChange } from '../../file/notebook/change-file.ts';
import type { FileAuthor, FileChange } from '../../file/notebook/change-rows.ts';
import type { Notebooks } from '../../file/notebook/notebooks.ts';
import { diffOf, type EditPlan, type EditRequest, planEdit } from '../../file/notebook/plan-edit.ts';
import { lastReadHash } from '../../file/notebook/read-marks.ts';
import { quoted } from '../../file/path-text.ts';
import type { Caller, ToolPreview, WorldContext } from '../tool.ts';
import { CONTENT_TOOLS, type FileArguments, type NamedFile, namedFile } from './notebook-arguments.ts';

/** Arguments of every tool that changes a file. */
export interface EditArguments extends FileArguments {
  /** SHA-256 of the content that the caller has read. */
  readonly expectedHash?: string;
}

/** A tool call that changes a file. */
export interface EditCall {
  readonly notebooks: Notebooks;
  /** Name of the tool. */
  readonly tool: string;
  readonly operation: FileOperation;
  readonly args: EditArguments;
  readonly request: EditRequest;
  readonly caller: Caller;
}

/** Throws where a call is out of scope, as far as its text says, or could not be performed. Errors as `planEdit`. */
export async function checkEdit(call: EditCall): Promise<void> {
  await planOf(call);
}

/** What a call changes, for a person, and the hash of the file that they see. */
export async function previewEdit(call: EditCall): Promise<ToolPreview> {
  const { file, plan } = await planOf(call);
  return { mimeType: 'text/x-diff', data: diffOf(plan), seen: seenOf(file, plan) };
}

/**
 * Performs a call. `FILE_CHANGED` where the file is not the one of `expectedHash`, not the one that the thread has read last, or
 * not the one that the person saw who allowed the call.
 */
export async function performEdit(
  call: EditCall,
  { key, signal, seen, isTainted = false }: WorldContext,
): Promise<object> {
  const { file, plan } = await planOf(call, signal);
  const { before, after } = plan;
  expectSeen(file, plan, seen);
  if (before.bytes !== null && after !== null && Buffer.compare(before.bytes, after) === 0)
    return { notebook: file.notebook, path: `/${before.path}`, hash: before.mark?.sha256, changed: false };
  const { caller, notebooks, tool } = call;
  const author = authorOf(caller, tool);
  const change = { notebook: file.notebook, before, after, author, runId: caller.runId, isTainted };
  return resultOf(await changeFile(notebooks, { ...change, key: keyOf(tool, key), signal }));
}

/** The result of an earlier attempt of a call, or undefined. A person who `insists` wants another attempt. */
export async function findEdit(
  notebooks: Notebooks,
  tool: string,
  { key, insists = false }: Pick<WorldContext, 'key' | 'insists'>,
): Promise<object | undefined> {
  const found = await findChange(notebooks, keyOf(tool, key)).catch((error: unknown) => {
    if (insists && error instanceof EngineError && error.code === 'TOOL_OUTCOME_UNKNOWN') return undefined;
    throw error;
  });
  return found && resultOf(found);
}

async function planOf(
  call: EditCall,
  signal?: AbortSignal,
): Promise<{ readonly file: NamedFile; readonly plan: EditPlan }> {
  const { notebooks, args, operation, request, caller } = call;
  const file = namedFile(notebooks, args, caller, operation);
  const plan = await planEdit(file, request, signal);
  await expectUnchanged(call, file, plan);
  return { file, plan };
}

/** The file must be the one that the caller knows. A caller that has never read it may replace it: the old version is kept. */
async function expectUnchanged({ notebooks, args, caller }: EditCall, file: NamedFile, { before }: EditPlan) {
  const path = `/${before.path}`;
  const hash = before.mark?.sha256;
  const known =
    args.expectedHash ??
    (await lastReadHash(notebooks.store, caller.threadId, { notebook: file.notebook, path }, CONTENT_TOOLS));
  if (known !== undefined && known !== hash) throw changed(path, hash === undefined ? 'is gone' : 'has changed');
}

function expectSeen(file: NamedFile, plan: EditPlan, seen: string | undefined): void {
  // A person may have changed the path of the call: then they have not seen this file.
  const mark = seenOf(file, plan);
  if (seen === undefined || seen === mark || pathOfSeen(seen) !== pathOfSeen(mark)) return;
  throw changed(`/${plan.before.path}`, 'has changed', 'a person was asked about this call');
}

function changed(path: string, how: string, since = 'you read it'): EngineError {
  return new EngineError('FILE_CHANGED', `the file ${quoted(path)} ${how} since ${since}`, {
    hint: 'read it again, then make the change on what it is now',
  });
}

/** Hash, notebook and path of a file before an edit. */
function seenOf({ notebook }: NamedFile, { before }: EditPlan): string {
  return `${before.mark?.sha256 ?? 'none'} ${notebook}/${before.path}`;
}

function pathOfSeen(seen: string): string {
  return seen.slice(seen.indexOf(' '));
}

function keyOf(tool: string, key: string): string {
  return `${tool} ${key}`;
}

function resultOf({ id, notebook, path, operation, after }: FileChange): object {
  return {
    ...{ notebook, path, operation },
    ...(after !== null && { hash: after.sha256, size: after.size }),
    change: id,
  };
}

function authorOf({ origin: { director, agent } }: Caller, tool: string): FileAuthor {
  return agent === undefined
    ? { by: 'director', directorId: director.id, tool }
    : { by: 'agent', directorId: director.id, agentId: agent.id, tool };
}
