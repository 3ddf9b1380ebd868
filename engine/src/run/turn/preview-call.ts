import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type ApprovalRecord, readApproval } from '../../guard/approval.ts';
import { runGuards } from '../../guard/guards.ts';
import { startDeadline } from '../../model/http/deadline.ts';
import type { Arguments } from '../../tool/arguments.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { Caller, ToolPreview } from '../../tool/tool.ts';
import { findTool } from '../../tool/toolset.ts';
import { isOpen, readCall } from '../ledger.ts';
import type { Step } from '../step/step.ts';
import { guardContextOf } from './guard-context.ts';

/** Longest time for a preview that asks a provider, such as for the signature of an account. */
const PREVIEW_MS = 5000;

/** A call that waits for a person, as it would be made with these arguments. */
export interface CallDraft {
  readonly arguments: Arguments;
  readonly preview: Pick<ToolPreview, 'mimeType' | 'data'>;
  /** What a person should look at, one sentence each. */
  readonly warnings: readonly string[];
  /** JSON Schema of the arguments. */
  readonly parameters: object;
}

/** What the person sees: the preview of the tool, else the arguments. */
export async function previewOf(
  tool: OfferedTool | undefined,
  args: Arguments,
  { caller, clock }: { readonly caller: Caller; readonly clock: Clock },
): Promise<ToolPreview> {
  const fallback = { mimeType: 'application/json', data: JSON.stringify(args, null, 2) };
  if (tool === undefined || !('preview' in tool)) return fallback;
  const { signal, end } = startDeadline({ clock, timeoutMs: PREVIEW_MS });
  try {
    return (await tool.preview?.(args, caller, { signal })) ?? fallback;
  } catch {
    return fallback;
  } finally {
    end();
  }
}

/**
 * The call of a pending approval with other arguments, or with its own. Changes nothing. `NOT_FOUND`; `APPROVAL_DECIDED`,
 * `RUN_NOT_ACTIVE`; for edited arguments also `TOOL_ARGUMENTS` and the refusals of the guards.
 */
export async function draftCall(step: Step, approvalId: string, edited?: unknown): Promise<CallDraft> {
  const { deps } = step;
  const approval = await readApproval(step.draft, approvalId);
  if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
  if (approval.status !== 'pending')
    throw new EngineError('APPROVAL_DECIDED', `approval "${approvalId}" is ${approval.status} already`);
  if (approval.kind === 'permission') return permissionDraft(approval, edited);
  const machine = await step.machine(approval.machine);
  const row = await readCall(step.draft, approval.machine, approval.call);
  if (machine === undefined || row === undefined || !isOpen(row))
    throw new EngineError('RUN_NOT_ACTIVE', 'the run that asked is over');
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = actor.toolset.denied.get(row.tool) ?? findTool(actor.toolset, row.tool);
  const { parameters } = tool;
  const args = edited === undefined ? approval.arguments : await deps.checker.check(edited, parameters);
  if (edited !== undefined) {
    const outcome = await runGuards({ tool, arguments: args }, guardContextOf(step, machine, actor));
    if (outcome.decision === 'refuse') throw outcome.error;
    if ('check' in tool) await tool.check?.(args, actor.caller);
  }
  const { seen: _seen, ...preview } = await previewOf(tool, args, { caller: actor.caller, clock: deps.clock });
  const warnings = ('warnings' in tool ? await tool.warnings?.(args) : undefined) ?? [];
  return { arguments: args, preview, warnings, parameters };
}

/** A permission request of a command-line agent, which nobody can edit. */
function permissionDraft({ arguments: args, preview, warnings = [] }: ApprovalRecord, edited: unknown): CallDraft {
  if (edited === undefined) return { arguments: args, preview, warnings, parameters: { type: 'object' } };
  throw new EngineError('BAD_REQUEST', 'the arguments of a command-line agent cannot be edited: it runs its own input');
}
