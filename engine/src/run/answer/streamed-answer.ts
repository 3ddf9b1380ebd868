import { inStages } from '../../base/redact.ts';
import { textBeforeClaim } from '../../guard/claims/text-before-claim.ts';
import { restoreGrowing } from '../../guard/placeholder/restore-growing.ts';
import { isReadLive } from '../run.ts';
import type { StreamedAnswer } from '../step/effect.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { answerRestorer } from './answer-restorer.ts';
import { checksOf, falseClaims } from './claim-checks.ts';

/**
 * How the answer to the next model request is shown while it arrives: without secrets, with the real values behind placeholders, and
 * up to the first sentence that claims what no finished call proves. Undefined where nobody listens, where no person waits for it, and
 * for texts that are not the answer of the run, or that are data for a program.
 */
export async function streamedAnswer(step: Step, machine: Machine): Promise<StreamedAnswer | undefined> {
  const { live, redactor } = step.deps;
  const { facts } = machine;
  const { run } = step.runState.record;
  const isAnswer = machine.id === machine.root || facts.isAnswer === true;
  const isData = outputOf(step.runState, facts) !== undefined;
  if (!live.answers.isWatched || !isAnswer || isData || !isReadLive(run)) return undefined;
  const root = await step.machine(machine.root);
  if (root === undefined) return undefined;
  const checks = checksOf(step, facts);
  const { claims } = await falseClaims(step, checks, new Set(checks.map(({ claim }) => claim)));
  const restorer = await answerRestorer(step, machine);
  return {
    runId: run.id,
    threadId: root.facts.threadId,
    stage: () =>
      inStages([
        redactor.growing(),
        // A restored value may contain a secret: the stored message is redacted again, too.
        ...(restorer === undefined ? [] : [restoreGrowing(restorer), redactor.growing()]),
        ...(claims.length === 0 ? [] : [textBeforeClaim(claims.map(({ claim }) => claim))]),
      ]),
  };
}
