import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { type Chat, type ChatMessage, type Participant, PARTICIPANT_TYPES, type Roaming } from '../chat.ts';

/** A line of `index.json`. */
export interface ExportedEntry {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
}

/** A line of `messages.jsonl`: its number is the place of the message in the chat. */
export type ExportedMessage = Omit<ChatMessage, 'seq'>;

/** A chat as `chat.json` has it. */
export type ExportedChat = Omit<Chat, 'round'>;

const CHAT_ID = /^c_[0-9A-Za-z]{1,40}$/;
const PARTICIPANT_ID = /^a_[0-9A-Za-z]{1,40}$/;
const MESSAGE_ID = /^m_[0-9A-Za-z]{1,40}$/;
// In prompts names stand outside the envelopes: on one line, and short.
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

/**
 * Reads a `chat.json`. Members that only Callsheet has may be missing: a participant without `apiConfigId` and `agentId` gets the API
 * that is called like its `type`. A confirmation of roaming is left out, since a file confirms nothing. `BAD_REQUEST` names the member.
 */
export function readExportedChat(value: unknown): ExportedChat {
  const read = membersOf(value, '');
  const participants = read.list('participants').map((one, n) => participantOf(one, `participants[${n}]`));
  const ids = new Set(participants.map(({ id }) => id));
  const handles = new Set(participants.map(({ handle }) => handle));
  if (ids.size < participants.length || handles.size < participants.length)
    throw refuse('participants', 'participants with ids and handles of their own', 'two that are equal');
  const mentions = read.optional('mentions', (given) => membersOf(given, 'mentions'));
  const writer = read.optional('summaryApiConfigId', (given) => textOf(given, 'summaryApiConfigId'));
  return {
    id: read.matching('id', CHAT_ID),
    title: read.text('title'),
    context: read.text('context', ''),
    participants,
    files: read.list('files', []).map((one, n) => textOf(one, `files[${n}]`)),
    maxRounds: read.optional('maxRounds', (given) => countOf(given, 'maxRounds')) ?? 3,
    mentions: { caseSensitive: mentions?.flag('caseSensitive', false) ?? false },
    ...(writer !== undefined && { summaryApiConfigId: writer }),
    archived: read.flag('archived', false),
    createdBy: read.text('createdBy', 'local'),
    createdAt: read.time('createdAt'),
    updatedAt: read.time('updatedAt'),
  };
}

/** Reads a line of `messages.jsonl`. `BAD_REQUEST` names the member. */
export function readExportedMessage(value: unknown): ExportedMessage {
  const read = membersOf(value, '');
  const meta = read.optional('meta', (given) => membersOf(given, 'meta').value) ?? {};
  const authorKind = read.text('authorKind');
  if (authorKind !== 'user' && authorKind !== 'agent') throw refuse('authorKind', '"user" or "agent"', authorKind);
  for (const [key, type] of Object.entries(META))
    if (meta[key] !== undefined && !isOfType(meta[key], type)) throw refuse(`meta.${key}`, type, meta[key]);
  const { trigger } = meta;
  if (trigger !== undefined && trigger !== 'manual' && trigger !== 'mention')
    throw refuse('meta.trigger', '"manual" or "mention"', trigger);
  const known = Object.entries(meta).filter(([key]) => key in META);
  return {
    id: read.matching('id', MESSAGE_ID),
    ts: read.time('ts'),
    authorKind,
    authorId: read.text('authorId'),
    authorDisplayName: read.matching('authorDisplayName', NAME),
    text: read.text('text'),
    meta: Object.fromEntries(known),
  };
}

const META: Readonly<Record<string, string>> = {
  trigger: 'a string',
  triggeredByMessageId: 'a string',
  tagSessionIndex: 'a number',
  provider: 'a string',
  runId: 'a string',
  error: 'an object',
  changesId: 'a string',
  userId: 'a string',
};

function isOfType(value: unknown, type: string): boolean {
  return type === 'an object' ? isRecord(value) : typeof value === type.split(' ')[1];
}

function participantOf(value: unknown, key: string): Participant {
  const read = membersOf(value, key);
  const type = PARTICIPANT_TYPES.find((known) => known === read.value['type']);
  if (type === undefined) throw refuse(`${key}.type`, `one of ${PARTICIPANT_TYPES.join(', ')}`, read.value['type']);
  const agentId = read.optional('agentId', (given) => textOf(given, `${key}.agentId`));
  const apiConfigId = read.optional('apiConfigId', (given) => textOf(given, `${key}.apiConfigId`));
  const speaker = agentId === undefined ? { apiConfigId: apiConfigId ?? type } : { agentId };
  const permissions = read.optional('permissions', (given) => rulesOf(given, `${key}.permissions`));
  return {
    id: read.matching('id', PARTICIPANT_ID),
    type,
    displayName: read.matching('displayName', NAME),
    handle: read.matching('handle', /^[a-z0-9-]{1,60}$/),
    colorHex: read.matching('colorHex', /^#[0-9a-fA-F]{6}$/).toLowerCase(),
    persona: read.text('persona', ''),
    roaming: read.optional('roaming', (given) => roamingOf(given, `${key}.roaming`)) ?? { enabled: false },
    ...speaker,
    ...(permissions !== undefined && { permissions }),
  };
}

function roamingOf(value: unknown, key: string): Roaming {
  const read = membersOf(value, key);
  if (!read.flag('enabled', false)) return { enabled: false };
  const mode = read.text('mode', 'safe');
  if (mode !== 'safe' && mode !== 'yolo') throw refuse(`${key}.mode`, '"safe" or "yolo"', mode);
  return { enabled: true, workspaceDir: read.text('workspaceDir'), mode };
}

function rulesOf(value: unknown, key: string): NonNullable<Participant['permissions']> {
  const read = membersOf(value, key);
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((rule) =>
    read.value[rule] === undefined
      ? []
      : [[rule, read.list(rule).map((one) => textOf(one, `${key}.${rule}`))] as const],
  );
  return Object.fromEntries(rules);
}

/** Reads the members of an object. `key`: what the object is called in errors. */
function membersOf(value: unknown, key: string) {
  if (!isRecord(value)) throw refuse(key === '' ? 'it' : key, 'an object', value);
  const nameOf = (member: string) => (key === '' ? member : `${key}.${member}`);
  const optional = <T>(member: string, read: (given: unknown) => T): T | undefined =>
    value[member] === undefined ? undefined : read(value[member]);
  const text = (member: string, otherwise?: string): string =>
    value[member] === undefined && otherwise !== undefined ? otherwise : textOf(value[member], nameOf(member));
  return {
    value,
    optional,
    text,
    flag(member: string, otherwise: boolean): boolean {
      const given = value[member] ?? otherwise;
      if (typeof given === 'boolean') return given;
      throw refuse(nameOf(member), 'true or false', given);
    },
    list(member: string, otherwise?: readonly unknown[]): readonly unknown[] {
      const given = value[member] ?? otherwise;
      if (Array.isArray(given)) return given;
      throw refuse(nameOf(member), 'a list', given);
    },
    matching(member: string, pattern: RegExp): string {
      const given = text(member);
      if (pattern.test(given)) return given;
      throw refuse(nameOf(member), `a text such as ${pattern.source}`, given);
    },
    time(member: string): string {
      const given = text(member);
      const ms = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
      if (!Number.isNaN(ms)) return new Date(ms).toISOString();
      throw refuse(nameOf(member), 'a time such as 2026-11-23T12:00:00.000Z', given);
    },
  };
}

function textOf(value: unknown, key: string): string {
  if (typeof value === 'string') return value;
  throw refuse(key, 'a string', value);
}

function countOf(value: unknown, key: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10) return value;
  throw refuse(key, 'a number from 1 to 10', value);
}

function refuse(key: string, expected: string, value: unknown): EngineError {
  const found = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 60);
  return new EngineError('BAD_REQUEST', `${key} must be ${expected}, not ${found}`);
}
