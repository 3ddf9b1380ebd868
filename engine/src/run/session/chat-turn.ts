import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Change } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { withParticipant } from '../participant.ts';
import type { Run, Trigger } from '../run.ts';
import { insertThread } from '../thread.ts';
import { newSession } from './session.ts';
import { messageRun } from './take-message.ts';

/** Longest text of the answered message that a run keeps, in characters. */
const MAX_MESSAGE = 2000;

/** The turn of a participant in a group chat. Exactly one of `agentId` and `apiConfigId` is there. */
export interface ChatTurn extends Prompted {
  readonly participantId: string;
  /** Name of the participant. */
  readonly name: string;
  /** The agent of the config that speaks. */
  readonly agentId?: string | undefined;
  /** The api that speaks. */
  readonly apiConfigId?: string | undefined;
  /** Text of the message that the turn answers; the run keeps its first 2,000 characters. */
  readonly message: string;
}

/** What all runs of a chat have. */
interface Prompted {
  readonly chatId: string;
  /** The whole prompt. */
  readonly prompt: string;
  /** What lists show in place of the prompt. */
  readonly title: string;
  /** Id of the person whose action started the rounds. */
  readonly by: string;
  /** Where the prompt has text that no person of this chat wrote. */
  readonly taint?: string | undefined;
}

/** The summary of a chat. */
export interface ChatSummaryTurn extends Prompted {
  /** The api that writes it. */
  readonly apiConfigId: string;
  /** The agents of the chat, whose `privacy` holds. */
  readonly privateFor: readonly string[];
}

/**
 * The run of one turn, in a thread of its own that takes no other message, as changes. The caller commits them and tells the engine
 * (`queued`). `NOT_FOUND`, `CONFIG_INVALID` where the config does not have the agent or the api.
 */
export async function startTurn(deps: Dependencies, turn: ChatTurn): Promise<{ run: Run; changes: Change[] }> {
  const { chatId, participantId, name, apiConfigId, title } = turn;
  const message = turn.message.slice(0, MAX_MESSAGE);
  const config = deps.config.current();
  if (apiConfigId !== undefined && !config.apis.has(apiConfigId))
    throw new EngineError('NOT_FOUND', `there is no api "${apiConfigId}"`, {
      hint: `apis: ${[...config.apis.keys()].join(', ') || 'none'}`,
    });
  const api = apiConfigId === undefined ? {} : { apiConfigId };
  const trigger: Trigger = { kind: 'chat', chatId, participantId, ...api, title, message };
  return startPrompted(deps, turn, { agentId: turn.agentId ?? participantId, agentName: name, trigger });
}

/** The run that writes the summary of a chat, as `startTurn`. It calls no tools. */
export async function startSummary(
  deps: Dependencies,
  turn: ChatSummaryTurn,
): Promise<{ run: Run; changes: Change[] }> {
  const { chatId, apiConfigId, privateFor, title } = turn;
  const trigger: Trigger = { kind: 'chat', chatId, apiConfigId, isSummary: true, privateFor, title, message: title };
  return startPrompted(deps, turn, { agentId: chatId, agentName: 'Summary', trigger });
}

async function startPrompted(
  deps: Dependencies,
  { chatId, prompt, by, taint }: Prompted,
  { agentId, agentName, trigger }: { readonly agentId: string; readonly agentName: string; readonly trigger: Trigger },
): Promise<{ run: Run; changes: Change[] }> {
  const own = withParticipant(deps.config.current(), { agentId, agentName, trigger });
  const opened = newSession(deps, agentId, { by, chatId, prompt, config: own });
  const cause = taint === undefined ? null : { cause: taint, at: isoTime(deps.clock.now()) };
  const { run, session, changes } = await messageRun(deps, { ...opened, taint: cause }, { by, trigger });
  return { run, changes: [insertThread(session), ...changes] };
}
