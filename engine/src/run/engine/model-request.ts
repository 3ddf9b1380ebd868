import { orAbort, sleep } from '../../base/abort.ts';
import type { Meters } from '../../budget/meters.ts';
import type { CliTurn, FailedUsage, OnText } from '../../model/model.ts';
import { isCommandLine, type SentAnswer, sendCliTurn } from '../cli/cli-turn.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ModelEffect } from '../step/effect.ts';
import { findInRequest } from '../turn/find-private.ts';
import { redactRequest } from '../turn/turn.ts';
import type { PersistentSteps } from './persistent-steps.ts';

/**
 * The request with placeholders in place of private values. What no model has seen yet is redacted, and stored in a commit of its own
 * before the request leaves; the step that asked does not wait for the recogniser. Rejects with `PRIVACY_UNAVAILABLE` where private
 * values could not be found: then nothing is sent. Undefined where the run does not wait for the request any more.
 */
export async function redactedRequest(
  { recogniser }: Pick<Dependencies, 'recogniser'>,
  steps: Pick<PersistentSteps, 'settle'>,
  asked: ModelEffect,
  { signal }: { readonly signal: AbortSignal },
): Promise<ModelEffect | undefined> {
  let effect: ModelEffect | undefined = asked;
  while (effect?.unredacted !== undefined) {
    const open: ModelEffect = effect;
    const found = await findInRequest(recogniser, effect.unredacted, { signal });
    let redacted: ModelEffect | undefined;
    const isOnDisk = await steps.settle(open.root, async (step) => {
      redacted = await redactRequest(step, open, found);
    });
    signal.throwIfAborted();
    effect = isOnDisk ? redacted : undefined;
  }
  return effect;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onSpent: (spent: FailedUsage) => void;
  readonly onText: OnText | undefined;
}

/** Sends a request to its model. Rejects as `Model.ask` and `sendCliTurn` do. */
export async function sendRequest(
  deps: Dependencies,
  steps: Pick<PersistentSteps, 'settle'>,
  meters: Pick<Meters, 'send'>,
  effect: ModelEffect,
  { signal, onSpent, onText }: SendOptions,
): Promise<SentAnswer> {
  const { models, clock } = deps;
  const { messages, tools, role, actorId, turn, output, maxTokens, isSummary } = effect;
  const send = (cli?: CliTurn) =>
    models.open(effect.api).ask({
      ...{ messages, tools, role, actorId, turn, signal, onSpent },
      beforeSend: () => countSent(clock, meters, effect, signal),
      ...(onText !== undefined && { onText }),
      ...(output !== undefined && { output }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(isSummary === true && { purpose: 'summary' as const }),
      ...(cli !== undefined && { cli }),
    });
  if (deps.cliTurns === undefined || !isCommandLine(effect.api))
    return { answer: await orAbort(send(), signal), changes: [] };
  return sendCliTurn(deps, deps.cliTurns, { steps, effect, signal }, send);
}

/** Counts a request in its limits as it goes out; waits while others have taken its room. Rejects on abort. */
async function countSent(
  clock: Dependencies['clock'],
  meters: Pick<Meters, 'send'>,
  { machine }: ModelEffect,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const waitMs = await meters.send(machine, clock.now());
    signal.throwIfAborted();
    if (waitMs <= 0) return;
    await sleep(waitMs, { clock, signal });
  }
}
