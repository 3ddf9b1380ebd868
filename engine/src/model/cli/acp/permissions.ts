import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { Clock } from '../../../base/clock.ts';
import type { CliPermission, CliTurn } from '../../model.ts';

/** Longest time that one permission request stops the time limit; it is then refused. */
export const MAX_PERMISSION_MS = 30 * 60_000;
const MAX_TITLE = 500;

/** What the gate needs of its turn. */
export interface PermissionOptions {
  readonly turn: CliTurn | undefined;
  readonly clock: Clock;
  /** Title and kind that the tool reported of a call before it asked. */
  readonly known: (toolCallId: string) => { readonly title: string; readonly kind: string } | undefined;
  /** Stops the time limit until the returned function is called. */
  readonly pause: () => () => void;
  /** Called where `onPermission` fails: the turn cannot go on. */
  readonly onFailure: (error: unknown) => void;
  /** Default: 30 minutes. */
  readonly maxWaitMs?: number;
}

/** Answers the permission requests of one turn. */
export interface PermissionGate {
  /** Resolves when the request is decided. `signal`: the tool has withdrawn it. */
  answer(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** Answers all open requests, and all that follow, with `cancelled`. */
  cancel(): void;
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/**
 * Without roaming, or without `onPermission`, every request is refused; so is every request to change the mode, since the mode was
 * chosen by a person. Else `onPermission` decides, and learns of a request without input by its missing `input`. A yes is given
 * once and never for longer: where the tool offers no such answer, the request is refused.
 */
export function createPermissionGate(options: PermissionOptions): PermissionGate {
  const stopped = new AbortController();
  const onPermission = options.turn?.roaming === undefined ? undefined : options.turn.onPermission;
  return {
    async answer(request, signal) {
      const permission = permissionOf(request, options.known);
      if (stopped.signal.aborted || signal.aborted) return CANCELLED;
      if (onPermission === undefined || permission.kind === 'switch_mode') return chosen(request, 'reject_once');
      const decision = await decide(onPermission, permission, AbortSignal.any([stopped.signal, signal]), options);
      if (decision === 'cancelled') return CANCELLED;
      return chosen(request, decision === 'allow' ? 'allow_once' : 'reject_once');
    },
    cancel: () => stopped.abort(new Error('the turn was ended')),
  };
}

function permissionOf({ toolCall }: RequestPermissionRequest, known: PermissionOptions['known']): CliPermission {
  const { toolCallId, title, kind, rawInput } = toolCall;
  const call = known(toolCallId);
  return {
    title: (title ?? call?.title ?? '').slice(0, MAX_TITLE),
    kind: kind ?? call?.kind ?? 'other',
    // An input that the tool reported earlier may differ from what it wants to do now.
    ...(hasContent(rawInput) && { input: rawInput }),
  };
}

function hasContent(input: unknown): boolean {
  if (input === undefined || input === null || input === '') return false;
  return typeof input !== 'object' || Object.keys(input).length > 0;
}

/** A failure and an abort both cancel the request; only a failure ends the turn. */
function decide(
  onPermission: NonNullable<CliTurn['onPermission']>,
  permission: CliPermission,
  ended: AbortSignal,
  { clock, pause, onFailure, maxWaitMs = MAX_PERMISSION_MS }: PermissionOptions,
): Promise<'allow' | 'deny' | 'cancelled'> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const resume = pause();
    const settle = (decision: 'allow' | 'deny' | 'cancelled') => {
      if (waiting.signal.aborted) return;
      stopTimer();
      ended.removeEventListener('abort', onEnd);
      resume();
      resolve(decision);
      waiting.abort(ended.reason ?? new Error('the permission request was decided'));
    };
    const onEnd = () => settle('cancelled');
    const stopTimer = clock.delay(() => settle('deny'), maxWaitMs);
    ended.addEventListener('abort', onEnd, { once: true });
    onPermission(permission, { signal: waiting.signal }).then(settle, (error: unknown) => {
      if (waiting.signal.aborted) return;
      onFailure(error);
      settle('cancelled');
    });
  });
}

function chosen({ options }: RequestPermissionRequest, kind: 'allow_once' | 'reject_once'): RequestPermissionResponse {
  const option = options.find((one) => one.kind === kind) ?? options.find((one) => one.kind === 'reject_once');
  return option === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId: option.optionId } };
}
