import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { canonicalJson, isRecord, sha256 } from '../../base/json.ts';
import {
  addApproval,
  type ApprovalRecord,
  endApproval,
  listApprovals,
  pendingApprovals,
} from '../../guard/approval.ts';
import type { CliPermission } from '../../model/model.ts';
import { auditPart } from '../../trace/audit.ts';
import { announceApproval } from '../step/announce.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agentOf } from '../step/tool-result.ts';
import { type RuleAnswer, permissionName } from './check-request.ts';
import { permissionPreview, type WorkFolder } from './permission-preview.ts';

/** How long a command-line agent waits for a person, in milliseconds. */
export const PERMISSION_MS = 30 * 60_000;

/** A permission request of a command-line agent, with the machine whose request it works on. */
export interface PermissionCall extends WorkFolder {
  readonly machine: Machine;
  readonly request: CliPermission;
}

/** How a request ended. `by`: the person who answered. */
export interface PermissionEnd {
  readonly answer: 'allow' | 'deny';
  readonly why: string;
  readonly by?: string | undefined;
  readonly approvalId?: string | undefined;
}

/** Adds an approval that is bound to the exact request; returns its id. `TOOL_LIMIT` where too many calls of the run wait already. */
export async function askForPermission(step: Step, call: PermissionCall, { reason }: RuleAnswer): Promise<string> {
  const { machine, request } = call;
  const { facts } = machine;
  const { maxOpenApprovals } = step.runState.config.settings.runs;
  if ((await pendingApprovals(step.draft, facts.runId)) >= maxOpenApprovals)
    throw new EngineError('TOOL_LIMIT', `${maxOpenApprovals} calls of this run already wait for a person`);
  const id = step.deps.ids.next('appr');
  const tool = permissionName(request);
  const { title, input } = request;
  await addApproval(step.draft, {
    ...{ id, kind: 'permission', runId: facts.runId, threadId: facts.threadId, tool },
    arguments: inputOf(request),
    preview: permissionPreview(request, call),
    requestedBy: { directorId: facts.directorId, ...(facts.agentId !== '' && { agentId: facts.agentId }) },
    reason: `${title.slice(0, 300)}: ${reason}`,
    warnings: warningsOf(call),
    status: 'pending',
    createdAt: isoTime(step.now),
    expiresAt: isoTime(step.now + PERMISSION_MS),
    hash: sha256(canonicalJson({ id, tool, title, input: input ?? null })),
    machine: machine.id,
    call: `permission/${id}`,
  });
  step.entry({
    ...agentOf(step.actors.resolve(step.runState, facts)),
    phase: 'tool',
    detail: { action: 'approval_requested', tool, request: inputOf(request), approvalId: id, reason },
  });
  step.notice('approval', { id, status: 'pending', runId: facts.runId });
  await announceApproval(step, machine, id, tool);
  return id;
}

function warningsOf({ request, isSandboxed }: PermissionCall): string[] {
  return [
    ...(request.input === undefined ? ['The tool does not say what it would do: only its own words are known.'] : []),
    ...(isSandboxed ? [] : ['It runs without a sandbox: it may do everything that the user of Callsheet may do.']),
  ];
}

/** The exact input as arguments. */
function inputOf({ input }: CliPermission): Readonly<Record<string, unknown>> {
  if (input === undefined) return {};
  return isRecord(input) ? input : { input };
}

/** Notes how a request ended: an entry of the trace that is an audit line as well. */
export function notePermission(step: Step, { machine, request }: PermissionCall, end: PermissionEnd): void {
  const { facts } = machine;
  const actor = step.actors.resolve(step.runState, facts);
  const { answer, why, by, approvalId } = end;
  const tool = permissionName(request);
  const input = inputOf(request);
  const named = { title: request.title.slice(0, 300), ...(approvalId !== undefined && { approvalId }) };
  const audit = {
    ...{ sessionId: facts.threadId, directorId: facts.directorId },
    ...(facts.agentId !== '' && { agentId: facts.agentId }),
    ...{ startedBy: step.runState.record.run.startedBy, effects: 'write' as const },
    ...{ target: request.title, wasAllowed: answer === 'allow', why },
    ...(approvalId !== undefined && { approvalId }),
    executionTimeMs: 0,
  };
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: { action: `permission_${answer === 'allow' ? 'allowed' : 'denied'}`, tool, request: input, ...named },
    result: { answer, why, ...(by !== undefined && { by }) },
    audit: auditPart(audit, step.deps.redactor),
  });
}

/** A person's answer to a permission request. */
export interface PermissionDecision {
  readonly decision: 'allow' | 'deny';
  readonly arguments?: unknown;
  readonly reason?: string | undefined;
  readonly remember?: unknown;
  readonly by: string;
}

/**
 * Stores a person's answer, once; the tool that waits reads it. `APPROVAL_DECIDED` where it is no longer pending, `BAD_REQUEST` for
 * arguments (a tool runs its own input) and for what should be remembered. Where nobody waits for the answer any more, the approval ends
 * instead, and this returns the error for the person: `APPROVAL_EXPIRED`, `APPROVAL_LAPSED`.
 */
export async function decidePermission(
  step: Step,
  approval: ApprovalRecord,
  { decision, by, reason, remember, ...edited }: PermissionDecision,
): Promise<EngineError | undefined> {
  const { id, status, expiresAt = '' } = approval;
  if (status !== 'pending') throw new EngineError('APPROVAL_DECIDED', `approval "${id}" is ${status} already`);
  if (edited.arguments !== undefined)
    throw new EngineError(
      'BAD_REQUEST',
      'the arguments of a command-line agent cannot be edited: it runs its own input',
      {
        hint: 'deny it, and say in the chat what it should do',
      },
    );
  if (remember !== undefined)
    throw new EngineError('BAD_REQUEST', 'the answer to a command-line agent holds once', {
      hint: 'name it in permissions of the participant',
    });
  if (Date.parse(expiresAt) <= step.now) {
    await endPermission(step, approval, 'expired', `nobody answered before ${expiresAt}`);
    return new EngineError('APPROVAL_EXPIRED', `approval "${id}" expired at ${expiresAt}`, {
      hint: 'nothing was done',
    });
  }
  const machine = await step.machine(approval.machine);
  if (machine === undefined || machine.snapshot.status !== 'active' || awaitedWork(machine)?.kind !== 'model') {
    await endPermission(step, approval, 'lapsed', 'the tool that asked has ended');
    return new EngineError('APPROVAL_LAPSED', `approval "${id}" holds no longer: the tool that asked has ended`);
  }
  await endPermission(step, approval, decision === 'allow' ? 'allowed' : 'denied', reason, by);
  return undefined;
}

/** Ends a pending approval of a tool; does nothing where it has ended already. */
export async function endPermission(
  step: Step,
  approval: ApprovalRecord,
  status: 'allowed' | 'denied' | 'lapsed' | 'expired',
  reason?: string,
  by?: string,
): Promise<void> {
  if (approval.status !== 'pending') return;
  await endApproval(step.draft, approval, { status, now: step.now, by, reason });
  const { id, tool, runId, requestedBy } = approval;
  const request = { approvalId: id, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
  const agent = requestedBy.agentId === undefined ? {} : { agentId: requestedBy.agentId };
  step.entry({ phase: 'tool', detail: { action: `approval_${status}`, tool, request, ...agent } });
  step.notice('approval', { id, status, runId });
}

/** Ends all permission requests of a machine that nobody has answered: the tool that asked has ended. */
export async function lapsePermissions(step: Step, { id, facts }: Machine, why: string): Promise<void> {
  // Every turn of every run comes here, and only command-line agents ask.
  if (!step.runState.config.apis.values().some(({ provider }) => provider === 'cli')) return;
  for (const approval of await listApprovals(step.draft, facts.runId, 'pending'))
    if (approval.kind === 'permission' && approval.machine === id) await endPermission(step, approval, 'lapsed', why);
}
