import type { Claim } from '../../guard/claims/claim-words.ts';
import type { Fact } from '../../guard/claims/truths.ts';
import { runsOfConversation } from '../conversation.ts';
import { type LedgerRow, listCalls } from '../ledger.ts';
import { recordOf, type Run } from '../run.ts';
import type { Step } from './step.ts';
import { readThread } from '../thread.ts';

/** The tools, one of which must have been called with success for a claim to be true. */
export type Proofs = ReadonlyMap<Claim, readonly string[]>;

/** What the calls of a conversation prove. */
export interface ProvenClaims {
  /** The claims that no finished call proves. */
  readonly facts: ReadonlyMap<Claim, Fact>;
  readonly hasDraft: boolean;
}

/**
 * What the ledger says about claims: it reads the calls of this run, and then those of earlier runs of the conversation, until all
 * claims are proven.
 */
export async function proveClaims(step: Step, proofs: Proofs): Promise<ProvenClaims> {
  const facts = new Map<Claim, Fact>(Array.from(proofs.keys(), (claim) => [claim, 'not-done']));
  let hasDraft = false;
  for await (const root of conversationOf(step)) {
    const machines = await step.draft.list('machine', { where: [['root', '=', root]], bodies: false });
    const calls = await listCalls(
      step.draft,
      machines.map(({ id }) => id),
    );
    hasDraft ||= calls.some(({ tool, state }) => tool === 'mail_draft' && state === 'done');
    for (const [claim, tools] of proofs) {
      const own = calls.filter(({ tool }) => tools.includes(tool));
      if (own.some(({ state }) => state === 'done')) facts.delete(claim);
      else if (facts.has(claim) && own.some(isUnknown)) facts.set(claim, 'not-known');
    }
    if (facts.size === 0) break;
  }
  return { facts, hasDraft };
}

function isUnknown({ state, error, isUnsure = false }: LedgerRow): boolean {
  return state === 'ambiguous' || state === 'started' || isUnsure || error?.code === 'TOOL_OUTCOME_UNKNOWN';
}

/** Ids of the runs of a conversation or a session, the newest first; else of this run and those that it repeats. */
async function* conversationOf({ draft, runState }: Step): AsyncIterable<string> {
  let { run }: { run: Run } = runState.record;
  const { sessionId, conversationId } = run;
  if (conversationId !== undefined) {
    yield* await runsOfConversation(draft, conversationId);
    return;
  }
  if (sessionId !== undefined) {
    const thread = await readThread(draft, sessionId);
    yield* (thread?.opened?.runs ?? [run.id]).toReversed();
    return;
  }
  for (;;) {
    yield run.id;
    const row = run.retryOf === undefined ? undefined : await draft.get('run', { id: run.retryOf });
    if (row === undefined) return;
    ({ run } = recordOf(row));
  }
}
