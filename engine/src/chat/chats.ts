import { DateTime } from 'luxon';
import { isoTime } from '../base/clock.ts';
import { didYouMean, listOf } from '../base/did-you-mean.ts';
import { EngineError } from '../base/error.ts';
import { machineZone } from '../base/time-zone.ts';
import type { ChatPreset, ConfigService } from '../config/config.ts';
import type { Dependencies } from '../run/dependencies.ts';
import type { Change } from '../store/store.ts';
import { type Chat, type ChatMessage, newChatId, type NewChatMessage, type Participant } from './chat.ts';
import { findChatFiles } from './chat-files.ts';
import { appendMessages, archiveChat, chatOfRow, insertChat, readChatRow, updateChat } from './chat-rows.ts';
import { deleteWholeChat } from './delete-chat.ts';
import { type GivenParticipant, newParticipant, type ParticipantContext, withChanges } from './participants.ts';
import type { RoamingService } from './roaming.ts';
import type { Rounds } from './round-port.ts';
import { viewChat } from './view-chat.ts';

/** Who does something: a user id, and the name for messages. */
export interface ChatPerson {
  readonly id: string;
  readonly name: string;
}

/** What a person says of a chat. What is missing stays, or is that of the preset, or the default. */
export interface GivenChat {
  readonly title?: string | undefined;
  readonly context?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly maxRounds?: number | undefined;
  readonly mentions?: { readonly caseSensitive?: boolean | undefined } | undefined;
  /** `''`: none. */
  readonly summaryApiConfigId?: string | undefined;
}

/** A chat to create. `participants` replace those of the preset. */
export interface NewChat extends GivenChat {
  /** Id of a preset. */
  readonly preset?: string | undefined;
  readonly participants?: readonly GivenParticipant[] | undefined;
}

/**
 * Group chats as persons handle them. Errors of all: `NOT_FOUND` for a chat, participant, preset, API or agent; `BAD_REQUEST` for a
 * value; `CONFLICT` where an archived chat cannot do it.
 */
export interface Chats {
  create(given: NewChat, by: ChatPerson): Promise<Chat>;
  /** The chat with the round that is going on. */
  view(id: string): Promise<Chat>;
  change(id: string, given: GivenChat & { readonly archived?: boolean | undefined }): Promise<Chat>;
  /** Deletes a chat with its messages and runs; whoever speaks is cancelled first. */
  remove(id: string): Promise<void>;
  /** Appends a message of a person; participants that it mentions speak. */
  say(id: string, text: string, by: ChatPerson): Promise<ChatMessage>;
  addParticipant(id: string, given: GivenParticipant, by: ChatPerson): Promise<Participant>;
  /** A confirmation of roaming is that of `by`. */
  changeParticipant(id: string, participant: string, given: GivenParticipant, by: ChatPerson): Promise<Participant>;
  /** Its messages stay. What it is saying is cancelled. */
  removeParticipant(id: string, participant: string): Promise<void>;
  /** Has a participant speak next. Resolves with the id of the round. */
  speak(id: string, participant: string, by: ChatPerson): Promise<string>;
  /** Cancels one who speaks, or all of them and what would follow. */
  cancel(id: string, participant?: string): Promise<Chat>;
}

/** What the chats use of the app. */
export type ChatDependencies = Pick<Dependencies, 'store' | 'clock' | 'ids' | 'redactor' | 'live'> & {
  readonly config: Pick<ConfigService, 'current' | 'baseDir'>;
  readonly roaming: Pick<RoamingService, 'confirm'>;
};

/** Characters and numbers at most. */
const MOST = { title: 200, context: 100_000, text: 100_000, participants: 20, rounds: 10 } as const;
/** Attempts to change a chat while others change it. */
const MAX_TRIES = 20;

/** Group chats over a store. `rounds` have participants speak. */
export function createChats(deps: ChatDependencies, rounds: Rounds): Chats {
  const { store, clock, ids, redactor, live, config, roaming } = deps;
  const published = (id: string, change: string, more: object = {}) => live.publish('chat', { id, change, ...more });
  const contextFor = (by: string, others: readonly Participant[]): ParticipantContext => {
    return { config: config.current(), by, others, confirm: roaming.confirm };
  };
  const checkFiles = (files: readonly string[]) =>
    below('/files', () => findChatFiles(files, { settings: config.current().settings, baseDir: config.baseDir }));

  const checkApi = (id: string | undefined) => {
    const { apis } = config.current();
    if (id === undefined || id === '' || apis.has(id)) return;
    const known = [...apis.keys()];
    throw new EngineError('NOT_FOUND', `there is no api "${id.slice(0, 100)}"${didYouMean(id, known)}`, {
      hint: `apis: ${listOf(known) || 'none'}`,
      where: { path: '/summaryApiConfigId' },
    });
  };

  /** Changes a chat, again where another change or a message was faster. */
  const edit = (id: string, change: (chat: Chat) => Chat | Promise<Chat>): Promise<Chat> =>
    repeatOnConflict(async () => {
      const row = await readChatRow(store, id);
      const changed = await change(chatOfRow(row));
      await store.apply([updateChat(row, changed, { now: clock.now(), redactor })]);
      published(id, 'updated');
      return chatOfRow(await readChatRow(store, id));
    });

  const append = (id: string, message: NewChatMessage): Promise<ChatMessage> =>
    repeatOnConflict(async () => {
      const row = await readChatRow(store, id);
      const chat = chatOfRow(row);
      expectOpen(chat);
      const { changes, messages } = await appendMessages(store, row, [message], { now: clock.now(), redactor });
      const [stored] = messages;
      if (stored === undefined) throw new EngineError('INTERNAL', 'no message was appended');
      const started = await rounds.messageAppended(chat, stored);
      await store.apply([...changes, ...started.changes] satisfies Change[]);
      published(id, 'message', { messageId: stored.id });
      started.committed();
      return stored;
    });

  const openChat = async (id: string, participant?: string): Promise<Chat> => {
    const chat = chatOfRow(await readChatRow(store, id));
    if (participant !== undefined) participantOf(chat, participant);
    return chat;
  };

  return {
    async create(given, by) {
      const now = clock.now();
      const current = config.current();
      checkApi(given.summaryApiConfigId);
      const preset = given.preset === undefined ? undefined : presetOf(current.chats, given.preset);
      const all = given.participants ?? (preset?.participants ?? []).map(withoutRoaming);
      if (all.length > MOST.participants)
        throw badRequest(`a chat has at most ${MOST.participants} participants`, '/participants');
      const participants: Participant[] = [];
      for (const [n, one] of all.entries())
        participants.push(
          await below(`/participants/${n}`, () =>
            newParticipant(newChatId(ids, 'a'), one, contextFor(by.id, participants)),
          ),
        );
      const zone = current.settings.calendar.timeZone ?? machineZone();
      const made = withValues(
        {
          id: newChatId(ids, 'c'),
          title: preset?.title ?? `New chat ${DateTime.fromMillis(now, { zone }).toISODate()}`,
          context: preset?.context ?? '',
          ...{ participants, files: preset?.files ?? [], maxRounds: preset?.maxRounds ?? 3 },
          mentions: { caseSensitive: preset?.mentions.caseSensitive ?? false },
          ...(preset?.summaryApiConfigId !== undefined && { summaryApiConfigId: preset.summaryApiConfigId }),
          ...{ archived: false, createdBy: by.id, createdAt: isoTime(now), updatedAt: isoTime(now) },
        },
        { ...given, title: given.title?.trim() === '' ? undefined : given.title },
      );
      await checkFiles(made.files);
      await store.apply([insertChat(made, redactor)]);
      published(made.id, 'created');
      return chatOfRow(await readChatRow(store, made.id));
    },
    view: async (id) => viewChat(deps, await readChatRow(store, id)),
    async change(id, given) {
      if (given.files !== undefined) await checkFiles(given.files);
      checkApi(given.summaryApiConfigId);
      return edit(id, (chat) => ({ ...withValues(chat, given), archived: given.archived ?? chat.archived }));
    },
    async remove(id) {
      // Nobody begins to speak while it is deleted.
      await repeatOnConflict(async () => {
        const row = await readChatRow(store, id);
        if (row.status === 'open') await store.apply([archiveChat(row, clock.now())]);
      });
      await rounds.cancel(id);
      await deleteWholeChat(deps, id);
      published(id, 'deleted');
    },
    async say(id, text, by) {
      if (text.trim() === '' || text.length > MOST.text)
        throw badRequest(`"text" must have 1 to ${MOST.text} characters`, '/text');
      const author = { authorKind: 'user', authorId: 'user', authorDisplayName: by.name } as const;
      return append(id, { id: newChatId(ids, 'm'), ...author, text, meta: { userId: by.id } });
    },
    async addParticipant(id, given, by) {
      const participant = newChatId(ids, 'a');
      const chat = await edit(id, async (before) => {
        const others = before.participants;
        if (others.length >= MOST.participants)
          throw badRequest(`a chat has at most ${MOST.participants} participants`);
        const added = await newParticipant(participant, given, contextFor(by.id, others));
        return { ...before, participants: [...others, added] };
      });
      return participantOf(chat, participant);
    },
    async changeParticipant(id, participant, given, by) {
      const chat = await edit(id, async (before) => {
        const others = before.participants.filter((other) => other.id !== participant);
        const next = await withChanges(participantOf(before, participant), given, contextFor(by.id, others));
        return { ...before, participants: before.participants.map((one) => (one.id === participant ? next : one)) };
      });
      return participantOf(chat, participant);
    },
    async removeParticipant(id, participant) {
      await openChat(id, participant);
      await rounds.cancel(id, participant);
      await edit(id, (chat) => ({ ...chat, participants: chat.participants.filter((one) => one.id !== participant) }));
    },
    async speak(id, participant, by) {
      expectOpen(await openChat(id, participant));
      return rounds.speak(id, participant, by.id);
    },
    async cancel(id, participant) {
      await openChat(id, participant);
      await rounds.cancel(id, participant);
      return viewChat(deps, await readChatRow(store, id));
    },
  };
}

function withValues(chat: Chat, given: GivenChat): Chat {
  const { title, context, files, maxRounds, mentions } = given;
  const { summaryApiConfigId: before, ...rest } = chat;
  const writer = given.summaryApiConfigId ?? before ?? '';
  const name = (title ?? chat.title).replace(/\s+/g, ' ').trim();
  if (name === '' || name.length > MOST.title)
    throw badRequest(`"title" must have 1 to ${MOST.title} characters`, '/title');
  if (context !== undefined && context.length > MOST.context)
    throw badRequest(`"context" must have at most ${MOST.context} characters`, '/context');
  if (maxRounds !== undefined && (maxRounds < 1 || maxRounds > MOST.rounds))
    throw badRequest(`"maxRounds" must be 1 to ${MOST.rounds}, not ${maxRounds}`, '/maxRounds');
  return {
    ...rest,
    ...(writer !== '' && { summaryApiConfigId: writer }),
    title: name,
    context: context ?? chat.context,
    files: files ?? chat.files,
    maxRounds: maxRounds ?? chat.maxRounds,
    mentions: { caseSensitive: mentions?.caseSensitive ?? chat.mentions.caseSensitive },
  };
}

function presetOf(presets: ReadonlyMap<string, ChatPreset>, id: string): ChatPreset {
  const preset = presets.get(id);
  if (preset !== undefined) return preset;
  const known = [...presets.keys()];
  const hint = known.length === 0 ? 'presets are files in config/chats/' : `presets: ${listOf(known)}`;
  throw new EngineError('NOT_FOUND', `there is no preset "${id.slice(0, 100)}"${didYouMean(id, known)}`, {
    hint,
    where: { path: '/preset' },
  });
}

function participantOf(chat: Chat, id: string): Participant {
  const found = chat.participants.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new EngineError('NOT_FOUND', `there is no participant "${id.slice(0, 100)}" in this chat`);
}

function expectOpen({ archived }: Chat): void {
  if (archived) throw new EngineError('CONFLICT', 'the chat is archived', { hint: 'take it out of the archive first' });
}

/** A preset fills in where a participant may roam, and never switches it on: that takes a person. */
function withoutRoaming(participant: ChatPreset['participants'][number]): GivenParticipant {
  return { ...participant, roaming: { ...participant.roaming, enabled: false } };
}

/** Does `work` again where another request or process changed the chat meanwhile. */
async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isPassing || tries >= MAX_TRIES) throw error;
    }
  }
}

/** `path`: the member of the body that is wrong, for forms. */
function badRequest(message: string, path?: string): EngineError {
  return new EngineError('BAD_REQUEST', message, path === undefined ? {} : { where: { path } });
}

/** Does `work`; an error of it names its place in the body below `path`. */
async function below<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    const { code, message, hint, where } = cause;
    throw new EngineError(code, message, { hint, where: { path: `${path}${where?.path ?? ''}` }, cause });
  }
}
