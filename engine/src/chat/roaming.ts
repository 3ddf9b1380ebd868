import { rm } from 'node:fs/promises';
import { makeFolder } from '../base/folder.ts';
import { EngineError } from '../base/error.ts';
import type { Api, Snapshot } from '../config/config.ts';
import type { OwnFolders } from '../config/own-folders.ts';
import type { CliTurns } from '../run/cli-work.ts';
import { isCommandLine } from '../run/cli/cli-turn.ts';
import { killOrphans } from '../model/cli/process-tree.ts';
import { createCliSandbox } from '../model/cli/sandbox.ts';
import type { Chat, Participant, Roaming } from './chat.ts';
import { chatOfRow, readMessages } from './chat-rows.ts';
import { beginTurn } from './roam/begin-turn.ts';
import { type ChangesView, decided, readChange, viewChange } from './roam/change-rows.ts';
import { confirmRoaming, type SentRoaming } from './roam/confirm.ts';
import { applyChanges, keepAsBranch } from './roam/decide-change.ts';
import { checkFolder, type FolderChoices, listChoices } from './roam/folder.ts';
import { keepSession } from './roam/keep-session.ts';
import type { RoamingDependencies } from './roam/roaming-dependencies.ts';
import { openTurnFolders } from './roam/turn-folders.ts';
import { checkMode, reachOf, type RoamingMode, type RoamingWarning, warningFor } from './roam/warning.ts';

/** A participant whose roaming is changed or asked about. */
export interface RoamingSubject {
  readonly name: string;
  /** Missing for an agent of the config. */
  readonly apiConfigId?: string | undefined;
}

/** What a person decides about the changes of a turn. */
export const CHANGE_DECISIONS = ['apply', 'branch', 'drop'] as const;
export type ChangeDecision = (typeof CHANGE_DECISIONS)[number];

/** Lets command-line agents of chats work in folders: who confirmed it, the turns, and what becomes of their changes. */
export interface RoamingService extends CliTurns {
  /** The roaming to store for a participant. Errors as in `confirmRoaming`. */
  confirm(
    sent: SentRoaming,
    subject: RoamingSubject & { readonly before?: Roaming | undefined; readonly by: string },
  ): Promise<Roaming>;
  /** The warning to confirm. `BAD_REQUEST` where the participant is no command-line agent, or cannot work in this mode; errors as in `checkFolder`. */
  warning(
    subject: RoamingSubject & { readonly workspaceDir: string; readonly mode: RoamingMode },
  ): Promise<RoamingWarning>;
  /** Folders to choose from. Errors as in `listChoices`. */
  choices(path: string | undefined): Promise<FolderChoices>;
  /** The changes of a turn. `NOT_FOUND`. */
  changes(chatId: string, id: string): Promise<ChangesView>;
  /** Applies, keeps or drops changes, once. `NOT_FOUND`, `CONFLICT`, `FILE_CHANGED`, `FILE_DENIED`, `TOO_LARGE`. */
  decide(
    chatId: string,
    id: string,
    order: { readonly decision: ChangeDecision; readonly by: string },
  ): Promise<ChangesView>;
  /** Ends the tools that killed processes have left (Linux), and removes copies and worktrees of theirs. Never rejects. */
  sweep(): Promise<void>;
}

/** What the service is opened with. */
export interface RoamingOptions extends Omit<RoamingDependencies, 'rules' | 'hasBubblewrap' | 'readChat'> {
  readonly config: () => Pick<Snapshot, 'settings' | 'apis'>;
  readonly folders: OwnFolders & { readonly data: string };
  /** What a sandbox hides. */
  readonly hidden: readonly string[];
  /** Where copies lie; default: the folder of the system for temporary files. */
  readonly temp?: string | undefined;
}

/** Opens the service; makes nothing on the disk. */
export function openRoaming({ config, folders, hidden, temp, ...options }: RoamingOptions): RoamingService {
  const { store, clock, env, log, live } = options;
  const turns = openTurnFolders(folders.data, temp);
  const deps: RoamingDependencies = {
    ...options,
    rules: () => ({ workspaces: config().settings.workspaces, folders }),
    hasBubblewrap: createCliSandbox(env).isUsable,
    async readChat(id) {
      const row = await store.get('chat', { id });
      return row === undefined ? undefined : chatOfRow(row);
    },
  };
  const apiOf = ({ apiConfigId = '' }: RoamingSubject): Api | undefined => config().apis.get(apiConfigId);
  const deciding = new Set<string>();

  return {
    hidden,
    async begin(request, { signal }) {
      const found = await participantOf(deps, request.run.trigger);
      if (found?.participant.roaming.enabled !== true || !isCommandLine(request.api)) return undefined;
      return beginTurn(deps, turns, { ...request, ...found, signal });
    },
    async session(request) {
      const found = await participantOf(deps, request.run.trigger);
      return found && keepSession(deps, turns, { ...found, api: request.api });
    },
    async confirm(sent, { before, by, ...subject }) {
      const hasBubblewrap = await deps.hasBubblewrap();
      const facts = { name: subject.name, api: apiOf(subject), before, by, hasBubblewrap, now: clock.now() };
      return confirmRoaming(sent, { ...deps.rules(), ...facts });
    },
    async warning({ workspaceDir, mode, ...subject }) {
      const api = apiOf(subject);
      if (!isCommandLine(api))
        throw new EngineError('BAD_REQUEST', `"${subject.name}" cannot work in a folder: it is no command-line agent`);
      const folder = await checkFolder(workspaceDir, deps.rules());
      checkMode(subject.name, api, mode);
      const reach = reachOf(api, mode, await deps.hasBubblewrap());
      return warningFor({ name: subject.name, api, folder, mode, reach });
    },
    choices: (path) => listChoices(path, deps.rules()),
    async changes(chatId, id) {
      const record = await readChange(store, chatId, id);
      return viewChange(record, await messageOf(deps, chatId, id));
    },
    async decide(chatId, id, { decision, by }) {
      const record = await readChange(store, chatId, id);
      if (record.status !== 'open')
        throw new EngineError('CONFLICT', `the changes are ${record.status} already`, { hint: 'each is decided once' });
      if (deciding.has(id)) throw new EngineError('CONFLICT', 'somebody decides about these changes now');
      deciding.add(id);
      try {
        const branch = await carryOut(record, decision);
        const status = ({ apply: 'applied', branch: 'kept', drop: 'dropped' } as const)[decision];
        const { change, record: next } = decided(record, { status, by, now: clock.now(), branch });
        await store.apply([change]);
        live.publish('chat', { id: chatId, change: 'updated' });
        return viewChange(next, await messageOf(deps, chatId, id));
      } finally {
        deciding.delete(id);
      }
    },
    async sweep() {
      try {
        // First: they may still write into the copies.
        const killed = await killOrphans();
        if (killed > 0)
          log.warn('command-line agents that a killed process had left were ended', { processes: killed });
        const removed = await turns.sweep();
        if (removed > 0) log.info('copies of folders that a stopped process had left were removed', { removed });
      } catch (error) {
        log.warn('copies of folders that a stopped process had left could not be removed', { error: String(error) });
      }
    },
  };

  /** Does what a person has decided; returns the name of the branch that was made. */
  async function carryOut(record: Awaited<ReturnType<typeof readChange>>, decision: ChangeDecision) {
    if (decision === 'drop') return undefined;
    const folder = await checkFolder(record.folder, deps.rules());
    if (folder !== record.folder)
      throw new EngineError('FILE_DENIED', `${record.folder} leads to another folder now, ${folder}`);
    const tempDir = await turns.next();
    await makeFolder(tempDir, 0o700);
    try {
      const where = { tempDir, path: env('PATH') ?? '' };
      if (decision === 'apply') return void (await applyChanges(record, where));
      const who = (await deps.readChat(record.chatId))?.participants.find(({ id }) => id === record.participantId);
      const branch = `callsheet/${who?.handle ?? 'participant'}-${record.id.slice(2, 10).toLowerCase()}`;
      const message = `Changes of ${who?.displayName ?? 'a participant'}\n\nMade in a chat, run ${record.runId}.\n`;
      await keepAsBranch(record, { branch, message }, where);
      return branch;
    } finally {
      await rm(tempDir, { recursive: true, force: true });
    }
  }
}

/** The participant whose turn a run is; undefined for other runs. */
async function participantOf(
  { readChat }: RoamingDependencies,
  { kind, ...trigger }: { readonly kind: string; readonly chatId?: unknown; readonly participantId?: unknown },
): Promise<{ readonly chat: Chat; readonly participant: Participant } | undefined> {
  if (kind !== 'chat' || typeof trigger.chatId !== 'string') return undefined;
  const chat = await readChat(trigger.chatId);
  const participant = chat?.participants.find(({ id }) => id === trigger.participantId);
  return chat === undefined || participant === undefined ? undefined : { chat, participant };
}

/** Most messages that are searched for the one of a turn. */
const MAX_MESSAGES = 500;

/** Id of the message that the changes belong to; undefined where it is not stored yet, or long ago. */
async function messageOf({ store }: RoamingDependencies, chat: string, changesId: string): Promise<string | undefined> {
  const messages = await readMessages(store, chat, { limit: MAX_MESSAGES });
  return messages.findLast(({ meta }) => meta.changesId === changesId)?.id;
}
