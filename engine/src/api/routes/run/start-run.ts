import { EngineError } from '../../../base/error.ts';
import { findRunMail } from '../../../intake/hand-in.ts';
import { attachUploads } from '../../../file/upload/upload-store.ts';
import { joinConversation } from '../../../run/conversation/join-conversation.ts';
import { createRun, directorOf } from '../../../run/lifecycle/create.ts';
import { rootModeOf } from '../../../run/machine-mode.ts';
import { liveRunFields, type Run, type ServedRun, summarise } from '../../../run/run.ts';
import type { Services } from '../../api.ts';

/** How often a run is stored again after another request changed its conversation. */
const MAX_CONFLICTS = 3;

/** What a person or a program asks a director to work on: a message or a mail; for an objective also both. */
export interface StartRequest {
  readonly directorId: string;
  readonly message?: string | undefined;
  /** A fetched mail. */
  readonly emailId?: string | undefined;
  /** The conversation that the message goes on with. Default: a new one. */
  readonly conversationId?: string | undefined;
  /** Ids of uploaded files. Default: none. */
  readonly attachments?: readonly string[] | undefined;
  /** Id of the person, or `mcp`. */
  readonly startedBy: string;
}

/**
 * Stores a new run and tells the engine. `NOT_FOUND` for an unknown director or mail, `CONFIG_INVALID` for a broken
 * director, `BAD_REQUEST` unless there is a message or a mail, or both for an objective. Errors of a conversation as in
 * `joinConversation`, of files as in `attachUploads`.
 */
export async function startRun(services: Services, request: StartRequest): Promise<ServedRun> {
  const { deps, engine } = services;
  const { directorId, message, emailId, conversationId, attachments } = request;
  if (message === undefined && emailId === undefined)
    throw new EngineError('BAD_REQUEST', 'expected a message or a mail', { hint: 'give message or emailId' });
  if (message?.trim() === '') throw new EngineError('BAD_REQUEST', '"message" is empty');
  if ((message === undefined || emailId !== undefined) && (conversationId ?? attachments) !== undefined)
    throw new EngineError('BAD_REQUEST', '"conversationId" and "attachments" go with a message, not with a mail');
  expectValidDirector(services, directorId);
  if (message !== undefined && emailId !== undefined) expectMessageOnMail(services, directorId);
  const found = emailId === undefined ? undefined : await findRunMail(deps.store, emailId, directorId);
  const run = await storeRun(services, request, found);
  deps.live.publish('run', liveRunFields(run));
  engine.queued();
  return { ...run, subject: found?.mail.subject ?? summarise(message ?? '') };
}

/** Throws `BAD_REQUEST` where a run of the director takes no message about a mail. */
export function expectMessageOnMail({ deps }: Services, directorId: string): void {
  const { mode } = directorOf(deps.config.current(), directorId);
  if (rootModeOf(deps.modes, mode).takesMessageOnMail === true) return;
  throw new EngineError('BAD_REQUEST', `director "${directorId}" takes either a message or a mail`, {
    hint: 'only a director with `mode: objective` takes both',
  });
}

type RunMail = Awaited<ReturnType<typeof findRunMail>>;

async function storeRun({ deps }: Services, request: StartRequest, found: RunMail | undefined): Promise<Run> {
  const { directorId, message, conversationId, attachments, startedBy } = request;
  for (let conflicts = 0; ; conflicts++) {
    const config = deps.config.current();
    const { name } = directorOf(config, directorId);
    const question = { conversationId, directorId, directorName: name, startedBy };
    const isAlone = message !== undefined && found === undefined;
    const conversation = !isAlone ? undefined : await joinConversation(deps, { ...question, message });
    const files =
      conversation === undefined || attachments === undefined
        ? undefined
        : await attachUploads(deps.store, attachments, conversation.id);
    const { run, changes } = await createRun(deps, {
      config,
      directorId,
      startedBy,
      conversationId: conversation?.id,
      attachments: files?.attachments,
      trigger:
        message === undefined
          ? { kind: 'mail', ...(found !== undefined && { emailId: found.mail.id }) }
          : { kind: 'message', message, ...(found !== undefined && { emailId: found.mail.id }) },
      ...found,
    });
    try {
      const joined = [...(conversation?.changes(run.id) ?? []), ...(files?.changes(run.id) ?? [])];
      await deps.store.apply([...changes, ...joined]);
      return run;
    } catch (error) {
      // Another request has asked a question in the conversation, has deleted it, or has taken a file.
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || message === undefined || conflicts >= MAX_CONFLICTS) throw error;
    }
  }
}

/** Throws `CONFIG_INVALID` for a director whose document is broken. */
export function expectValidDirector({ config, deps }: Services, directorId: string): void {
  const isBroken = config
    .documents()
    .some(({ kind, id, hash }) => kind === 'director' && id === directorId && hash === '');
  if (isBroken && !deps.config.current().directors.has(directorId))
    throw new EngineError('CONFIG_INVALID', `director "${directorId}" is not valid and cannot run`, {
      hint: 'run callsheet validate for its problems',
    });
}
