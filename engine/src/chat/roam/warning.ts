import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { Reach } from '../chat.ts';

/** How freely a tool works: `safe` is its read-only or sandbox mode, `yolo` asks nobody. */
export type RoamingMode = 'safe' | 'yolo';

/** What a person must read and accept before a participant works in a folder. */
export interface RoamingWarning {
  readonly mode: RoamingMode;
  readonly reach: Reach;
  /** What it can do, in sentences. */
  readonly text: string;
  /** The sentence beside the checkbox. */
  readonly consent: string;
}

const WIDTH: Readonly<Record<Reach, number>> = { copy: 0, sandbox: 1, user: 2 };

/** Whether somebody who has accepted one reach has accepted another one. */
export function covers(accepted: Reach, reach: Reach): boolean {
  return WIDTH[accepted] >= WIDTH[reach];
}

/** Tools that bubblewrap confines to their copy. A command of the user's own gets the whole disk. */
const CONFINED: ReadonlySet<unknown> = new Set(['codex', 'claude', 'gemini']);

/** What a turn of a command-line agent can reach. Only Codex confines itself, and not in `yolo`. */
export function reachOf(api: Api | undefined, mode: RoamingMode, hasBubblewrap: boolean): Reach {
  const tool = api !== undefined && 'cli' in api ? api.cli : undefined;
  if (hasBubblewrap && CONFINED.has(tool)) return 'copy';
  return mode === 'safe' && tool === 'codex' ? 'sandbox' : 'user';
}

/**
 * Refuses `safe` for a command of the user's own (`BAD_REQUEST`): nobody knows its modes, so that it may ask nobody and write anywhere, and no
 * sandbox confines it to its copy.
 */
export function checkMode(name: string, api: Api | undefined, mode: RoamingMode): void {
  if (mode !== 'safe' || api === undefined || !('cli' in api) || CONFINED.has(api.cli)) return;
  throw new EngineError(
    'BAD_REQUEST',
    `"${name}" cannot work in mode "safe": Callsheet does not know the modes of the command of api "${api.id}", and no sandbox confines it`,
    { hint: 'choose codex, claude or gemini, or accept the mode yolo', where: { path: '/roaming/mode' } },
  );
}

const REACH_TEXTS: Readonly<Record<Reach, string>> = {
  copy: 'A sandbox confines it: beside its copy it sees the programs of this system, its own settings and sign-in, and the history of the repository, and no other files of yours. It can use the network, so whatever it reads can leave this machine.',
  sandbox:
    'Only the sandbox of the tool itself confines it: it can read all files that the user of Callsheet can read. Whatever it reads can leave this machine.',
  user: 'Nothing confines it: all that the user of Callsheet can read or write on this machine is within its reach, including passwords, keys, and the config and the data of Callsheet. The copy protects your files from accidents only.',
};

const MODE_TEXTS: Readonly<Record<RoamingMode, string>> = {
  safe: 'In mode "safe" the tool works in its own read-only or sandbox mode. What it wants to do beyond that is decided by the permissions of the participant, or you are asked.',
  yolo: 'In mode "yolo" the tool runs any command and writes any file that it wants to, and asks nobody.',
};

/** Gemini CLI does nothing in a folder without trust, and offers `yolo` in no other. */
const TRUST_TEXT =
  'The tool trusts the folder: settings in its .gemini and variables in its .env count, and can start programs by themselves.';

/** What a warning is about. */
export interface WarningSubject {
  /** Of the participant. */
  readonly name: string;
  readonly api: Api | undefined;
  readonly folder: string;
  readonly mode: RoamingMode;
  readonly reach: Reach;
}

/** The warning for a mode and a reach: the same words in the browser and in the terminal. */
export function warningFor({ name, api, folder, mode, reach }: WarningSubject): RoamingWarning {
  const copy = `For each of its turns "${name}" gets a copy of the folder ${folder}, reads its files and runs commands there. Afterwards you see what it has changed, and decide whether that is applied.`;
  const strangers =
    'Text in these files, and what others write in the chat, can make it run commands that nobody has asked for.';
  const consent =
    reach === 'user'
      ? `I understand that "${name}" can run arbitrary commands, and that all that this user can read or write is within its reach.`
      : `I understand that "${name}" can run arbitrary commands.`;
  const trust = mode === 'yolo' && api !== undefined && 'cli' in api && api.cli === 'gemini' ? [TRUST_TEXT] : [];
  return { mode, reach, text: [copy, MODE_TEXTS[mode], ...trust, REACH_TEXTS[reach], strangers].join(' '), consent };
}
