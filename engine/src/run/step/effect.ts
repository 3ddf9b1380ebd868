import type { ToolSpec } from '../../model/model.ts';
import type { Message } from '../../model/model.ts';
import type { Api } from '../../config/config.ts';
import type { WorldTool } from '../../tool/tool.ts';
import type { Caller } from '../../tool/tool.ts';

/** A model request that is to be made once the step is on disk. */
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
  readonly tools: readonly ToolSpec[];
  /** Longest answer, in tokens; undefined where nothing limits it. */
  readonly maxTokens: number | undefined;
}

/** A tool call that leaves our store, to be made once its intent is on disk. */
export interface ToolEffect {
  readonly kind: 'tool';
  readonly root: string;
  readonly machine: string;
  /** `<turn>/<call id>` */
  readonly call: string;
  readonly tool: WorldTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** True when an earlier attempt may have happened: `lookup` tools are asked first. */
  readonly isRepeat: boolean;
  /** A person has allowed it, with these arguments. */
  readonly isApproved?: boolean;
  /** And knows that an earlier attempt may have happened. */
  readonly insists?: boolean;
}

export type Effect = ModelEffect | ToolEffect;

/** What an effect is known by while it runs; an abort names it. */
export function effectId(effect: { machine: string; call?: string }): string {
  return effect.call === undefined ? `${effect.machine}#model` : `${effect.machine}/${effect.call}`;
}

/** The same of an effect. */
export function effectIdOf(effect: Effect): string {
  return effectId(effect.kind === 'model' ? { machine: effect.machine } : effect);
}
