import type { ToolSpec } from '../../model/model.ts';
import type { Message } from '../../model/model.ts';
import type { RequestWindow } from '../../trace/windowed.ts';
import type { Api } from '../../config/config.ts';
import type { WorldTool } from '../../tool/tool.ts';
import type { Caller } from '../../tool/tool.ts';

/** A model request that starts once the step is on disk. */
export interface ModelEffect {
  readonly kind: 'model';
  readonly root: string;
  readonly machine: string;
  readonly turn: number;
  readonly attempt: number;
  readonly api: Api;
  readonly role: 'director' | 'agent';
  readonly actorId: string;
  readonly messages: readonly Message[];
  /** Set where the first messages of the thread are left out. */
  readonly window?: RequestWindow;
  /** Set where the request asks for a summary: of how many messages of the thread. */
  readonly summaryUpTo?: number;
  readonly tools: readonly ToolSpec[];
  /** Longest answer, in tokens; undefined where there is no limit. */
  readonly maxTokens: number | undefined;
}

/** A tool call outside our store. It starts once its ledger row is on disk. */
export interface ToolEffect {
  readonly kind: 'tool';
  readonly root: string;
  readonly machine: string;
  /** `<turn>/<call id>` */
  readonly call: string;
  readonly tool: WorldTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** True when an earlier attempt may have happened: a `lookup` tool first searches for its outcome. */
  readonly isRepeat: boolean;
  /** A person has allowed the call, with these arguments. */
  readonly isApproved?: boolean;
  /** The person knows that an earlier attempt may have happened. */
  readonly insists?: boolean;
  /** Mark of the state of the world on which a person decided. */
  readonly seen?: string;
}

export type Effect = ModelEffect | ToolEffect;

/** The id of an effect while it runs; an abort names it. */
export function effectId(effect: { machine: string; call?: string }): string {
  return effect.call === undefined ? `${effect.machine}#model` : `${effect.machine}/${effect.call}`;
}

/** The id of this effect. */
export function effectIdOf(effect: Effect): string {
  return effectId(effect.kind === 'model' ? { machine: effect.machine } : effect);
}
