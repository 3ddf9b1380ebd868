import type { ToolSpec } from '../../model/model.ts';
import type { Message, OutputFormat } from '../../model/model.ts';
import type { RequestWindow } from '../../trace/windowed.ts';
import type { KnownPerson } from '../../guard/privacy/known-names.ts';
import type { PrivacyPolicy } from '../../guard/placeholder/policy.ts';
import type { UnredactedMessage } from '../../guard/placeholder/redact-message.ts';
import type { Api } from '../../config/config.ts';
import type { FallbackReason } from '../../config/parse/fallback.ts';
import type { WorldTool } from '../../tool/tool.ts';
import type { Caller } from '../../tool/tool.ts';
import type { TextStage } from '../../base/redact.ts';

/** What has to be redacted before a model request, and how. */
export interface UnredactedRequest {
  readonly messages: readonly UnredactedMessage[];
  readonly policy: PrivacyPolicy;
  readonly known: readonly KnownPerson[];
}

/** An answer that a person reads while it arrives. */
export interface StreamedAnswer {
  readonly runId: string;
  /** The thread that the person reads. */
  readonly threadId: string;
  /** Makes what turns the model's pieces into text that may be shown. */
  readonly stage: () => TextStage;
}

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
  /** True for every request for a summary: of this thread, or of the conversation of the run. It costs no turn. */
  readonly isSummary?: boolean;
  readonly tools: readonly ToolSpec[];
  /** Hash of `tools`, by which events refer to them; `''` where none are sent. */
  readonly toolset: string;
  /** Set while messages have to be redacted before anything is sent: `messages` and `tools` are empty until then. */
  readonly unredacted?: UnredactedRequest;
  /** The form of the final answer, where it must be JSON. */
  readonly output?: OutputFormat;
  /** Set where other apis may take over during the run: in order, and after which failures. */
  readonly fallback?: { readonly on: readonly FallbackReason[]; readonly apis: readonly Api[] } | undefined;
  /** Longest answer, in tokens; undefined where there is no limit. */
  readonly maxTokens: number | undefined;
  /** Set where a person reads the answer while it arrives. */
  readonly answer?: StreamedAnswer;
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
  /** The thread of the caller is tainted. */
  readonly isTainted: boolean;
  /** True when an earlier attempt may have happened: a `lookup` tool first searches for its outcome. */
  readonly isRepeat: boolean;
  /** A person has allowed the call, with these arguments. */
  readonly isApproved?: boolean;
  /** The person knows that an earlier attempt may have happened. */
  readonly insists?: boolean;
  /** Mark of the state of the world on which a person decided. */
  readonly seen?: string;
  /** What a person has allowed (`bindingOf`); the call must not run as another one. */
  readonly binding?: string;
  /** Throws where the newest config no longer lets the call run. Called right before the effect begins. */
  readonly expectAllowed: () => Promise<void>;
  /** True where the run keeps the files that the call makes. */
  readonly keepsFiles?: boolean;
  /** True for a call of the engine itself: a final answer waits for its result. */
  readonly isCheck?: boolean;
  /** For a call of a mode itself: the action of the mode that takes the outcome, in place of a model. */
  readonly settledBy?: string;
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
