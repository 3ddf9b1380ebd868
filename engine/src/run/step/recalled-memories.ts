import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { usesVariable } from '../../config/prompt/render-prompt.ts';
import { formatAddresses } from '../../mail/envelope.ts';
import type { Mail } from '../../mail/mail.ts';
import { memoriesText } from '../../memory/memory-text.ts';
import type { Reader } from '../../store/store.ts';
import type { Caller } from '../../tool/tool.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Run } from '../run.ts';

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

/** Names of those that start runs and are no person. */
const PROGRAMS: readonly string[] = ['system', 'mcp'];

/** The message of a person to a run, where the settings let it be remembered as a preference. Mail is never one. */
export function personMessage(
  { settings }: Pick<Snapshot, 'settings'>,
  { trigger, startedBy }: Pick<Run, 'trigger' | 'startedBy'>,
): Pick<Caller, 'personMessage'> {
  const isPerson = trigger.kind === 'message' && !PROGRAMS.includes(startedBy);
  const { message } = trigger;
  return settings.memory.preferences && isPerson && message !== undefined ? { personMessage: message } : {};
}

/** Whose memories a prompt recalls, and what about. */
export interface RecallRequest {
  readonly config: Pick<Snapshot, 'directors' | 'prompts'>;
  readonly director: Director | undefined;
  /** The agent of the prompt; absent for a director's prompt. */
  readonly agent?: Agent | undefined;
  /** The trigger as text: what `mailQuery` makes of a mail, or the message. */
  readonly query: string;
  /** Id of the run, or another text that senders of mail cannot know. */
  readonly runId: string;
  /** True inside a step, which never waits for the network. */
  readonly isOffline?: boolean;
}

/** The value of the prompt variable `memories`; `''` where the prompt does not use it, or nothing matches. */
export async function recalledText(
  memory: Dependencies['memory'],
  from: Reader,
  { config, director, agent, query, runId, isOffline = false }: RecallRequest,
): Promise<string> {
  if (!usesVariable((agent ?? director)?.prompt, config.prompts, 'memories')) return '';
  const { memoryAccess = [], isLocal = false } = memoryRights(config, director, agent);
  const reader = { directorId: director?.id ?? '', agentId: agent?.id ?? '', memoryAccess, isLocal };
  const lookup = { reader, query: query.slice(0, MAX_QUERY), limit: MOST, isOffline: isOffline || isLocal };
  const { memories } = await memory().recall(from, lookup);
  return memoriesText(memories, memory().lookupKey(`memories of\0${runId}`));
}

/** What is searched for when a run is about a mail: subject, sender and text. */
export function mailQuery({ subject, from, bodyText }: Mail): string {
  return `${subject}\n${formatAddresses(from)}\n${bodyText}`;
}
