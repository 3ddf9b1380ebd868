import { EngineError } from '../../../base/error.ts';
import { findRunMail } from '../../../intake/hand-in.ts';
import { createRun } from '../../../run/lifecycle/create.ts';
import { liveRunFields, OPEN_STATUSES, type ServedRun, summarise } from '../../../run/run.ts';
import type { Services } from '../../api.ts';

/** Every status of a run. */
export const RUN_STATUSES = [...OPEN_STATUSES, 'completed', 'failed', 'cancelled'] as const;

/** What a person or a program asks a director to work on: exactly one of message and mail. */
export interface StartRequest {
  readonly directorId: string;
  readonly message?: string | undefined;
  /** A fetched mail. */
  readonly emailId?: string | undefined;
  readonly startedBy: 'user' | 'mcp';
}

/**
 * Stores a new run and tells the engine. `NOT_FOUND` for an unknown director or mail, `CONFIG_INVALID` for a broken
 * director, `BAD_REQUEST` unless there is either a message or a mail.
 */
export async function startRun(services: Services, request: StartRequest): Promise<ServedRun> {
  const { deps, engine } = services;
  const { directorId, message, emailId, startedBy } = request;
  if ((message === undefined) === (emailId === undefined))
    throw new EngineError('BAD_REQUEST', 'expected either a message or a mail', { hint: 'give message or emailId' });
  if (message?.trim() === '') throw new EngineError('BAD_REQUEST', '"message" is empty');
  expectValidDirector(services, directorId);
  const found = emailId === undefined ? undefined : await findRunMail(deps.store, emailId, directorId);
  const { run, changes } = await createRun(deps, {
    config: deps.config.current(),
    directorId,
    startedBy,
    trigger:
      found === undefined ? { kind: 'message', message: message ?? '' } : { kind: 'mail', emailId: found.mail.id },
    ...found,
  });
  await deps.store.apply(changes);
  deps.live.publish('run', liveRunFields(run));
  engine.queued();
  return { ...run, subject: found?.mail.subject ?? summarise(message ?? '') };
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
