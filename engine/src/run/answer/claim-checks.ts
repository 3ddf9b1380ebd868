import type { AnswerCheck } from '../../config/documents.gen.ts';
import type { Claim } from '../../guard/claims/claim-words.ts';
import type { FalseClaim } from '../../guard/claims/cut-claims.ts';
import { directorsOf } from '../../guard/ruling-directors.ts';
import { proveClaims } from '../step/done-calls.ts';
import type { MachineFacts } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** The tools that prove a claim, where the check names none. */
const NEEDS: Readonly<Record<Claim, readonly string[]>> = {
  'meeting-scheduled': ['calendar_add'],
  'reminder-set': ['reminder_create'],
  'mail-sent': ['mail_send'],
  'file-written': ['notebook_write_file', 'notebook_create_file'],
};

/** The checks of the director, or of every director that names the agent: those of the run and the newest ones. */
export function checksOf(step: Step, facts: MachineFacts): readonly AnswerCheck[] {
  const { layers } = step.actors.resolve(step.runState, facts);
  const context = { layers, config: step.runState.config, newest: step.deps.config.current() };
  return directorsOf(context).flatMap(({ director }) => director.checks);
}

/** Those of `made` that no finished call of the conversation proves, each with the most helpful of its alternatives. */
export async function falseClaims(
  step: Step,
  checks: readonly AnswerCheck[],
  made: ReadonlySet<Claim>,
): Promise<{ readonly claims: readonly FalseClaim[]; readonly hasDraft: boolean }> {
  const claims = new Map<Claim, FalseClaim>();
  let hasDraft = false;
  for (const { claim, needs = NEEDS[claim], otherwise } of checks) {
    if (!made.has(claim)) continue;
    const proven = await proveClaims(step, new Map([[claim, typeof needs === 'string' ? [needs] : needs]]));
    const fact = proven.facts.get(claim);
    hasDraft ||= proven.hasDraft;
    if (fact === undefined) continue;
    const known = claims.get(claim)?.otherwise;
    claims.set(claim, { claim, fact, otherwise: known === undefined || known === 'remove' ? otherwise : known });
  }
  return { claims: [...claims.values()], hasDraft };
}
