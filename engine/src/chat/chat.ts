import type { ErrorBody } from '../base/error.ts';
import type { IdSource } from '../base/id.ts';
import type { PermissionRules } from '../config/permissions.ts';

/** What speaks for a participant: a command-line agent (`cli` is one of the user's own), a model API, or an agent of the config. */
export const PARTICIPANT_TYPES = ['codex', 'claude', 'gemini', 'cli', 'api', 'agent'] as const;
export type ParticipantType = (typeof PARTICIPANT_TYPES)[number];

/**
 * What a turn in a folder can reach: `copy`, the copy of the folder (bubblewrap confines it); `sandbox`, what the tool's own sandbox
 * leaves open; `user`, everything that the user of Callsheet can read or write.
 */
export type Reach = 'copy' | 'sandbox' | 'user';

/** Where a command-line agent may read files and run commands. */
export interface Roaming {
  readonly enabled: boolean;
  /** Absolute path; there if `enabled`. */
  readonly workspaceDir?: string;
  readonly mode?: 'safe' | 'yolo';
  /** Id of the person who confirmed the warning, and when (ISO 8601). Nothing roams without them. */
  readonly confirmedBy?: string;
  readonly confirmedAt?: string;
  /** What the warning said is within reach: the confirmation holds for no more. */
  readonly confirmedReach?: Reach;
}

/** A participant of one chat. Exactly one of `apiConfigId` and `agentId` is there. */
export interface Participant {
  /** `a_<ULID>`. */
  readonly id: string;
  readonly type: ParticipantType;
  readonly displayName: string;
  /** Small letters, digits and hyphens; unique in the chat. */
  readonly handle: string;
  /** `#rrggbb`. */
  readonly colorHex: string;
  /** Role and instructions. */
  readonly persona: string;
  readonly apiConfigId?: string;
  readonly agentId?: string;
  /** Judges the permission requests of a command-line agent. */
  readonly permissions?: PermissionRules;
  readonly roaming: Roaming;
}

/** A group chat as the API serves it. Times are ISO 8601. */
export interface Chat {
  /** `c_<ULID>`. */
  readonly id: string;
  readonly title: string;
  /** What the chat is about: part of each prompt. */
  readonly context: string;
  readonly participants: readonly Participant[];
  /** Paths of files below `roots` whose content is part of each prompt. */
  readonly files: readonly string[];
  /** Rounds of mentions after one action of a person. */
  readonly maxRounds: number;
  readonly mentions: { readonly caseSensitive: boolean };
  /** The API that writes the summary of a long chat; absent: that of a participant who speaks. */
  readonly summaryApiConfigId?: string;
  readonly archived: boolean;
  /** Id of the person who began it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The round that is going on. Lists leave it out. */
  readonly round?: ChatRound;
  /** True in lists while a round goes on. */
  readonly isSpeaking?: boolean;
}

/** How a participant is in a round. */
export type SpeakerStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';

/** A round: participants who speak on the same transcript. */
export interface ChatRound {
  readonly id: string;
  /** From 1; 0 for the turn of a participant that a person asked to speak. */
  readonly number: number;
  /** The message of the person that started the rounds; absent where a person had a participant speak. */
  readonly messageId?: string;
  readonly participants: readonly {
    readonly participantId: string;
    readonly runId?: string;
    readonly status: SpeakerStatus;
  }[];
}

/** A message. None is ever changed. */
export interface ChatMessage {
  /** `m_<ULID>`. */
  readonly id: string;
  /** Place in the chat, from 1. */
  readonly seq: number;
  /** ISO 8601. */
  readonly ts: string;
  readonly authorKind: 'user' | 'agent';
  /** `user`, or the id of the participant. */
  readonly authorId: string;
  /** The name at that time. */
  readonly authorDisplayName: string;
  /** Markdown. */
  readonly text: string;
  readonly meta: ChatMessageMeta;
}

/** How a message came about. */
export interface ChatMessageMeta {
  /** What made a participant speak: a person (`manual`), or a mention. */
  readonly trigger?: 'manual' | 'mention';
  readonly triggeredByMessageId?: string;
  /** Number of the round, from 1. */
  readonly tagSessionIndex?: number;
  /** Provider of the model that wrote it: `codex`, `claude`, `gemini`, or that of the api. */
  readonly provider?: string;
  readonly runId?: string;
  /** Why the participant has no answer. Such a message mentions nobody. */
  readonly error?: ErrorBody;
  /** Changes of files that belong to it. */
  readonly changesId?: string;
  /** Of a person's message: id of that person. */
  readonly userId?: string;
}

/** A message that is not stored yet. */
export type NewChatMessage = Omit<ChatMessage, 'seq' | 'ts'>;

/** A new id with a ULID: of a chat (`c`), a participant (`a`) or a message (`m`). Sorts by time. */
export function newChatId(ids: IdSource, prefix: 'c' | 'a' | 'm'): string {
  // Our ids have 22 characters of the same alphabet after the prefix, a ULID has 26.
  const [, time = '', rest = ''] = /_(.{10})(.*)$/.exec(ids.next(prefix)) ?? [];
  return `${prefix}_${`${time}0000${rest}`.toUpperCase()}`;
}
