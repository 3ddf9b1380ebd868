import type { GuardContext } from '../../guard/guard.ts';
import { readParticipants } from '../../mail/participants.ts';
import type { Actor } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';
import { userWordsOf } from '../step/gated-calls.ts';

/** What guards need to know of the calls of an actor. What has to be read is read at most once for each call. */
export function guardContextOf(step: Step, { facts, root }: Machine, actor: Actor): GuardContext {
  const { config, record } = step.runState;
  const { retryOf, doneBefore = [], emailId } = record.run;
  const mailId = facts.mailId === '' ? emailId : facts.mailId;
  return {
    caller: actor.caller,
    layers: actor.layers,
    config,
    newest: step.deps.config.current(),
    whyGone: actor.whyGone,
    ...(retryOf !== undefined && { repeats: { runId: retryOf, doneBefore } }),
    unknown: async () => (await step.machine(root))?.facts.unknown ?? [],
    taint: once(() => taintOf(step, facts.threadId)),
    userWords: () => userWordsOf(step),
    participants: once(() => readParticipants(step.deps.store, mailId)),
  };
}

/** A function that reads once, at its first call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}
