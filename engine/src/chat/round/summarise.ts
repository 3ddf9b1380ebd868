import { EngineError } from '../../base/error.ts';
import type { Api, Snapshot } from '../../config/config.ts';
import { MAX_SUMMARISED, summaryOf } from '../../config/prompt/summary.ts';
import { recordOf, type Run } from '../../run/run.ts';
import { CHARS_PER_TOKEN } from '../../run/turn/admission.ts';
import { startSummary } from '../../run/session/chat-turn.ts';
import { findSessionAgent } from '../../run/session/session-agent.ts';
import { readMessages } from '../../run/thread.ts';
import type { Change } from '../../store/store.ts';
import type { Chat, Participant } from '../chat.ts';
import { dueSummary, summaryPrompt } from '../message/summary-prompt.ts';
import { readSummary, summaryChange } from '../summary-rows.ts';
import type { RoundDependencies } from './start-speakers.ts';

/** The work of a round that asks for no summary. */
export const NO_SUMMARY: StartedSummary = { started: [], changes: [] };

/** A run that was queued to write the summary of a chat, with its changes. Without a run, none is due. */
interface StartedSummary {
  readonly started: readonly Run[];
  readonly changes: readonly Change[];
}

/**
 * Asks for the summary of a long chat where one is due, beside the participants of a round, who do not wait for it. `speakers` are
 * their ids: the api of one of them writes it where the chat names none, so that no provider reads what none of them does.
 */
export async function askForSummary(
  deps: RoundDependencies,
  chat: Chat,
  { speakers, upTo, by }: { readonly speakers: readonly string[]; readonly upTo: number; readonly by: string },
): Promise<StartedSummary> {
  const stored = await readSummary(deps.store, chat.id);
  if (stored.isOpen) return NO_SUMMARY;
  const api = writerOf(deps.config.current(), chat, speakers);
  if (api === undefined) return NO_SUMMARY;
  const most =
    api.provider === 'ollama' ? Math.min(MAX_SUMMARISED, (api.contextTokens * CHARS_PER_TOKEN) / 2) : undefined;
  const due = await dueSummary(deps.store, chat.id, stored.record, { last: upTo, most });
  if (due === undefined) return NO_SUMMARY;
  const mark = deps.store.lookupKey(`summary\0${chat.id}\0${due.upTo}`);
  const prompt = summaryPrompt({ title: chat.title, mark }, due);
  const { run, changes } = await startSummary(deps, {
    ...{ chatId: chat.id, apiConfigId: api.id, prompt, by, title: `Summary of ${chat.title}` },
    ...{ taint: 'messages of participants of the chat' },
    privateFor: chat.participants.flatMap(({ agentId }) => agentId ?? []),
  });
  const from = stored.record.text === '' ? due.from : (stored.record.from ?? 1);
  const record = { ...stored.record, from, askedUpTo: due.upTo, runs: [...stored.record.runs, run.id] };
  const change = summaryChange(chat.id, { ...stored, record, isOpen: true }, deps.clock.now());
  return { started: [run], changes: [change, ...changes] };
}

/**
 * Stores the summary of a run that has ended. One that failed, was cancelled or deleted, or whose answer is empty, leaves the last
 * summary: prompts have an extract of what it does not cover, and the next summary covers that as well.
 */
export async function keepSummary(deps: RoundDependencies, chatId: string): Promise<void> {
  const { store, redactor, clock, log, probe } = deps;
  const stored = await readSummary(store, chatId);
  if (!stored.isOpen) return;
  const { record } = stored;
  const runId = record.runs.at(-1) ?? '';
  const row = await store.get('run', { id: runId });
  const run = row && recordOf(row).run;
  if (run !== undefined && run.endedAt === undefined) return;
  const text = run?.status === 'completed' ? redactor.text(await answerOf(deps, run)) : '';
  if (text === '') log.warn('the summary of a chat was not written', { chat: chatId, run: runId });
  const next = text === '' ? record : { ...record, text, upTo: record.askedUpTo };
  try {
    probe?.('before-commit');
    await store.apply([summaryChange(chatId, { ...stored, record: next, isOpen: false }, clock.now())]);
    probe?.('after-commit');
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
  }
}

/** The run that works on a summary of a chat. */
export async function openSummary({ store }: Pick<RoundDependencies, 'store'>, chatId: string): Promise<string[]> {
  const { isOpen, record } = await readSummary(store, chatId);
  return isOpen ? record.runs.slice(-1) : [];
}

async function answerOf({ store }: RoundDependencies, { sessionId = '' }: Run): Promise<string> {
  return summaryOf((await readMessages(store, sessionId)).findLast(({ role }) => role === 'assistant')?.content);
}

/**
 * The api that writes a summary: the one of the chat, else that of a speaker, a model before a command-line agent. Scripted rules write none.
 * Where all participants work on this machine, so does the api. Undefined where there is none.
 */
function writerOf(config: Snapshot, chat: Chat, speakers: readonly string[]): Api | undefined {
  const named = config.apis.get(chat.summaryApiConfigId ?? '');
  const speaking = chat.participants
    .filter(({ id }) => speakers.includes(id))
    .flatMap((one) => apiOf(config, one)?.api ?? []);
  // One that is gone reads nothing, so it opens the chat to nobody.
  const isLocal = chat.participants.every((one) => apiOf(config, one)?.isLocal !== false);
  const models = speaking.filter(({ provider }) => provider !== 'cli');
  return [...(named === undefined ? [] : [named]), ...models, ...speaking].find(
    ({ provider, locality }) => provider !== 'scripted' && (!isLocal || locality === 'local'),
  );
}

/** The api of a participant. `isLocal`: what it reads stays on this machine. Undefined where the participant is gone. */
function apiOf(config: Snapshot, { apiConfigId, agentId }: Participant): { api: Api; isLocal: boolean } | undefined {
  try {
    const own = agentId === undefined ? { apiConfigId, locality: 'any' } : findSessionAgent(config, agentId);
    const api = config.apis.get(own.apiConfigId ?? '');
    return api && { api, isLocal: [api.locality, own.locality].includes('local') };
  } catch (error) {
    // Gone, or without an api: its turn says so.
    if (!(error instanceof EngineError)) throw error;
    return undefined;
  }
}
