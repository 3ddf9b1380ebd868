import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { usesVariable } from '../../config/prompt/render-prompt.ts';
import { privacyOf } from '../../guard/placeholder/policy.ts';
import { formatAddresses } from '../../mail/envelope.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Memory } from '../../memory/memory.ts';
import { memoriesText } from '../../memory/memory-text.ts';
import type { Reader } from '../../store/store.ts';
import type { Caller } from '../../tool/tool.ts';
import type { Dependencies } from '../dependencies.ts';
import { isPersonsMessage, type Run } from '../run.ts';

/** Most memories that a prompt recalls. */
const MOST = 10;
/** Longest part of a trigger that is searched for, in characters. */
const MAX_QUERY = 2000;

/** The part of a caller that its memories depend on. */
export function memoryRights(
  config: Pick<Snapshot, 'directors'>,
  director: Director | undefined,
  agent: Agent | undefined,
): Pick<Caller, 'agents' | 'memoryAccess' | 'isLocal'> {
  // An agent that works for a person may have the api of one of its directors.
  const directors =
    director === undefined
      ? [...config.directors.values()].filter(({ agents }) => agents.includes(agent?.id ?? ''))
      : [director];
  return {
    agents: agent === undefined ? (director?.agents ?? []) : [],
    memoryAccess: (agent ?? director)?.memoryAccess ?? [],
    ...(directors.some(({ locality }) => locality === 'local') && { isLocal: true }),
  };
}

/** The message of a person to a run, where the settings let it be remembered as a preference. Mail is never one. */
export function personMessage(
  { settings }: Pick<Snapshot, 'settings'>,
  run: Pick<Run, 'trigger' | 'startedBy'>,
): Pick<Caller, 'personMessage'> {
  const { message } = run.trigger;
  const isKept = settings.memory.preferences && isPersonsMessage(run) && message !== undefined;
  return isKept ? { personMessage: message } : {};
}

/** Whose memories a prompt recalls, and what about. */
export interface RecallRequest {
  readonly config: Pick<Snapshot, 'directors' | 'agents' | 'prompts' | 'settings'>;
  readonly director: Director | undefined;
  /** The agent of the prompt; absent for a director's prompt. */
  readonly agent?: Agent | undefined;
  /** The trigger as text: what `mailQuery` makes of a mail, or the message. */
  readonly query: string;
  /** Id of the run, or another text that senders of mail cannot know. */
  readonly runId: string;
  /** True inside a step, which never waits for the network. */
  readonly isOffline?: boolean;
  /** For a run with `privacy`: the query without private values. Without it no embedding model of another machine is asked. */
  readonly embedAs?: string | undefined;
  /** True for a run that plans: its planner gets the memories, whatever the prompt says. */
  readonly isPlanned?: boolean;
}

/** Memories as a prompt contains them. */
export interface Recalled {
  /** `''` where the prompt does not use them, or nothing matches. */
  readonly text: string;
  /** One of them may have words of strangers. */
  readonly isUntrusted: boolean;
  readonly memories: readonly Memory[];
}

/** Stands for no memories. */
export const NOTHING_RECALLED: Recalled = { text: '', isUntrusted: false, memories: [] };

/** The value of the prompt variable `memories`. */
export async function recalledText(
  memory: Dependencies['memory'],
  from: Reader,
  { config, director, agent, query, runId, isOffline = false, embedAs, isPlanned = false }: RecallRequest,
): Promise<Recalled> {
  const isUsed = isPlanned || usesVariable((agent ?? director)?.prompt, config.prompts, 'memories');
  if (!isUsed) return NOTHING_RECALLED;
  const { memoryAccess = [], isLocal = false } = memoryRights(config, director, agent);
  const reader = { directorId: director?.id ?? '', agentId: agent?.id ?? '', memoryAccess, isLocal };
  const isHidden =
    embedAs === undefined && privacyOf(config, { directorId: director?.id ?? '', agentId: agent?.id }) !== undefined;
  const lookup = {
    ...{ reader, query: query.slice(0, MAX_QUERY), limit: MOST, embedAs: embedAs?.slice(0, MAX_QUERY) },
    isOffline: isOffline || isLocal || isHidden,
  };
  const { memories } = await memory().recall(from, lookup);
  const text = memoriesText(memories, memory().lookupKey(`memories of\0${runId}`));
  return { text, isUntrusted: memories.some(({ trust }) => trust === 'untrusted'), memories };
}

/** What is searched for when a run is about a mail: subject, sender and text. */
export function mailQuery({ subject, from, bodyText }: Mail): string {
  return `${subject}\n${formatAddresses(from)}\n${bodyText}`;
}
