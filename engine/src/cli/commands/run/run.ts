import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError, errorBody } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import type { Page } from '../../../api/http/paging.ts';
import type { Conversation } from '../../../run/conversation/view-conversation.ts';
import { type ApiClient, path } from '../../client.ts';
import { readAttachments, uploadFiles } from './attach.ts';
import type { CommandContext } from '../../context.ts';
import { openFeed } from '../../live-feed.ts';
import type { AnswerWriter } from '../../terminal/answer-writer.ts';
import { answerScreen, readAnswer } from './print-answer.ts';
import { exitCodeOfRun, followRun, untilInterrupted } from './follow.ts';
import { printOutcome, readOutcome } from './runs.ts';
import { withApi } from '../../with-api.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface RunOptions {
  readonly message?: string;
  readonly email?: string;
  /** Id of the conversation that the message goes on with, or `last`. */
  readonly conversation?: string;
  /** Paths of files to attach to the message. */
  readonly attach?: readonly string[];
}

/**
 * `run <director>`: starts a run on a message or a mail, prints its steps, the answer to a message (in a terminal while it arrives), and
 * at its end its items. Exit 0 if it completed or waits for a mail or a date,
 * 1 if it failed or was cancelled, 3 if it waits for a person, 130 on Ctrl-C: the run then continues in the server, or after the
 * next start.
 */
export async function run(
  context: CommandContext,
  options: RunOptions,
  [directorId = '']: readonly string[],
): Promise<number> {
  const trigger = await triggerOf(context, options);
  const files = await readAttachments(context.terminal.cwd, options.attach ?? []);
  return untilInterrupted(context, (signal) =>
    withApi(context, { isDriving: true }, async (client) => {
      const conversation = await conversationOf(client, directorId, options.conversation);
      const attachments = await uploadFiles(client, files);
      const body = { directorId, ...trigger, ...conversation, ...(attachments.length > 0 && { attachments }) };
      const screen = options.message === undefined ? undefined : answerScreen(context);
      const feed = screen?.isLive === true ? await openFeed(client, screen.piece) : undefined;
      try {
        screen?.begin();
        const { id } = await client.request<Run>('POST', '/api/runs', { body });
        context.log.info('run started', { run: id });
        return await follow(context, client, id, { signal, writer: screen?.show(id) });
      } finally {
        feed?.close();
      }
    }),
  );
}

interface FollowedRun {
  readonly signal: AbortSignal;
  /** Prints the answer to a message. */
  readonly writer: AnswerWriter | undefined;
}

/** Prints the steps of the run on stderr until it ends or waits for a person, then its answer and its outcome. */
async function follow(
  context: CommandContext,
  client: ApiClient,
  id: string,
  { signal, writer }: FollowedRun,
): Promise<number> {
  const { terminal, isJson, isQuiet } = context;
  const print = (text: string) => {
    if (text === '' || isJson || isQuiet) return;
    writer?.endLine();
    terminal.err(text);
  };
  const color = context.hasColor.err;
  const isOver = await followRun(context, client, { id, signal, print, color, isBrief: true, stopsAtWait: true });
  if (!isOver) return EXIT.interrupted;
  const outcome = await readOutcome(client, id);
  const hasAnswer = writer !== undefined && outcome.status === 'completed' && !isJson;
  if (hasAnswer) writer.finish(await readAnswer(client, outcome));
  writer?.endLine();
  if (hasAnswer && outcome.items.length > 0) terminal.out('\n');
  // The summary is the beginning of the answer.
  printOutcome(context, hasAnswer ? { ...outcome, summary: '' } : outcome);
  return exitCodeOfRun(outcome);
}

/** The conversation of a run; `last` is the one of this director in which the last message was written. */
export async function conversationOf(
  client: ApiClient,
  directorId: string,
  named: string | undefined,
): Promise<{ readonly conversationId?: string }> {
  if (named !== 'last') return named === undefined ? {} : { conversationId: named };
  const list = path`/api/conversations?kind=conversation&limit=1&directorId=${directorId}`;
  const [last] = (await client.request<Page<Conversation>>('GET', list)).items;
  if (last !== undefined) return { conversationId: last.id };
  throw new EngineError('NOT_FOUND', `there is no conversation with director "${directorId}"`, {
    hint: 'leave --conversation out to begin one',
  });
}

async function triggerOf(
  { terminal }: CommandContext,
  { message, email, conversation, attach }: RunOptions,
): Promise<object> {
  if (email !== undefined && (conversation !== undefined || attach !== undefined))
    throw new EngineError('USAGE', '--conversation and --attach go with --message, not with --email');
  if (message === undefined && email === undefined)
    throw new EngineError('USAGE', 'a run needs --message or --email', {
      hint: 'pass one of them; an objective takes both',
    });
  return { message, ...(email !== undefined && { raw: await readMailBase64(terminal.cwd, email) }) };
}

/** Reads a mail file as base64, for the API. `USAGE` if the file cannot be read. */
export async function readMailBase64(cwd: string, file: string): Promise<string> {
  const name = resolve(cwd, file);
  try {
    return (await readFile(name)).toString('base64');
  } catch (cause) {
    throw new EngineError('USAGE', `the mail ${name} cannot be read: ${errorBody(cause).message}`, {
      hint: 'pass the path of an .eml file',
      cause,
    });
  }
}
