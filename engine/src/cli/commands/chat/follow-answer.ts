import { sleep } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import type { LiveFeed } from '../../live-feed.ts';
import type { AnswerWriter } from '../../terminal/answer-writer.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine } from '../../terminal/table.ts';
import { widthOf } from '../../terminal/terminal.ts';
import { formatNewCalls } from '../../terminal/trace-tree.ts';
import { waitsByItself } from './partner.ts';
import { readAnswer } from '../run/print-answer.ts';
import { stateOf } from '../run/facts.ts';
import { readTree } from '../run/follow.ts';
import { askPerson } from './ask-person.ts';

/** Longest time between two looks at a run, in milliseconds; a change ends the wait at once. */
const LOOK_MS = 1000;

/** What one message of a conversation needs. */
export interface ChatExchange {
  readonly context: CommandContext;
  readonly client: ApiClient;
  readonly feed: Pick<LiveFeed, 'changed'>;
  readonly lines: LineReader;
  readonly writer: AnswerWriter;
  /** The mark of a prompt. */
  readonly mark: string;
  /** Aborted by Ctrl-C: the run is cancelled. */
  readonly interrupted: AbortSignal;
}

/** How an exchange ended: the run is over, or it waits for a person and there is no more input. */
export interface ChatAnswer {
  readonly run: Run;
  readonly answer: string;
  readonly isOver: boolean;
}

/**
 * Follows the run that answers a message: prints its tool calls, asks the person what the run waits for, and prints the answer. Ctrl-C
 * cancels the run.
 */
export async function followAnswer(exchange: ChatExchange, runId: string): Promise<ChatAnswer> {
  const { context, client, feed, lines, writer, mark, interrupted } = exchange;
  const { terminal, isJson } = context;
  const seen = new Set<string>();
  const say = (text: string) => {
    writer.endLine();
    terminal.err(`${text}\n`);
  };
  const options = { client, lines, say, mark, width: widthOf(terminal) };
  let state = '';
  for (;;) {
    // Before the run is read, so that no change is missed.
    const changed = feed.changed();
    const run = await client.request<Run>('GET', path`/api/runs/${runId}`);
    if (!context.isQuiet && !isJson) {
      const calls = formatNewCalls(await readTree(client, runId), seen, { color: context.hasColor.err });
      if (calls !== '') say(calls.trimEnd());
    }
    const isOver = ['completed', 'failed', 'cancelled'].includes(run.status);
    if (isOver || (waitsByItself(run) && !interrupted.aborted)) return end(exchange, run, say);
    if (interrupted.aborted) await cancel(client, runId);
    else if (run.waitingFor === 'approval' || run.waitingFor === 'answer') {
      const how = await askPerson(options, runId);
      if (how === 'end') return { run, answer: '', isOver: false };
      if (how === 'interrupt') await cancel(client, runId);
      continue;
    } else if (run.status === 'waiting' && stateOf(run) !== state) say(`  ${waitText(run)}`);
    state = stateOf(run);
    await pause(changed, interrupted);
  }
}

async function end(
  { client, writer, context }: ChatExchange,
  run: Run,
  say: (text: string) => void,
): Promise<ChatAnswer> {
  const hasAnswer = run.status === 'completed' || run.status === 'waiting';
  const answer = hasAnswer ? await readAnswer(client, run) : '';
  if (hasAnswer && !context.isJson) writer.finish(answer);
  writer.endLine();
  const { error } = run;
  if (run.status === 'cancelled') say('  cancelled');
  else if (run.status === 'waiting') say(`  ${waitText(run)}: it goes on by itself, and takes your words here`);
  else if (error !== undefined) say(`  ✗ ${error.code}: ${oneLine(error.message)}`);
  return { run, answer, isOver: true };
}

/** Cancels a run; one that is over by now is left as it is. */
async function cancel(client: ApiClient, runId: string): Promise<void> {
  try {
    await client.request('POST', path`/api/runs/${runId}/cancel`, { body: {} });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'RUN_NOT_ACTIVE') throw error;
  }
}

function waitText(run: Run): string {
  return `${stateOf(run)}${run.until === undefined ? '' : `, until ${run.until}`}`;
}

/** Waits for a change, but no longer than a while, and only until Ctrl-C. */
export async function pause(changed: Promise<void>, interrupted: AbortSignal): Promise<void> {
  const over = new AbortController();
  const signal = interrupted.aborted ? over.signal : AbortSignal.any([over.signal, interrupted]);
  await Promise.race([changed, sleep(LOOK_MS, { clock: systemClock, signal }).catch(() => {})]);
  over.abort();
}
