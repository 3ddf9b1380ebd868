import { EngineError } from '../../../base/error.ts';
import type { ApiClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { openFeed } from '../../live-feed.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { answerScreen } from '../run/print-answer.ts';
import { nextCommand } from '../run/facts.ts';
import { exitCodeOfRun } from '../run/follow.ts';
import { type ChatAnswer, followAnswer } from './follow-answer.ts';
import { findPartner, type Partner, type PartnerOptions } from './partner.ts';
import { groupChat } from './group-chat.ts';
import { readMessage } from './read-message.ts';
import { createPendingFiles, pathOfLine, type PendingFiles } from './pending-files.ts';

const HELP = `  /new          begin a new conversation
  /attach FILE  attach a file to the next message
  /exit         leave; so does Ctrl-D
  Ctrl-C cancels the answer, or leaves when there is none. A line that ends in \\ goes on in the next one.`;

interface ChatOptions extends PartnerOptions {
  /** Paths of files to attach to the first message. */
  readonly attach?: readonly string[];
  /** Id of a group chat to go on with. */
  readonly chat?: string;
}

/**
 * `chat @PRESET` is a group chat (`groupChat`). `chat <id>`: a conversation with a director or an agent. Answers are shown while they arrive; questions and approvals are answered in
 * place. Ctrl-C cancels the run, and leaves when none works. Piped input is read line by line. Exit 0, or by the last
 * answer of piped input: 1 if it failed, 3 if it waits for a person; 130 on Ctrl-C.
 */
export function chat(context: CommandContext, options: ChatOptions, [id = '']: readonly string[]): Promise<number> {
  if (id.startsWith('@') || options.chat !== undefined) return groupChat(context, options, id);
  if (id === '')
    throw new EngineError('USAGE', 'with whom do you want to talk?', {
      hint: 'name a director, an agent, or a preset of group chats with @; --chat goes on with a group chat',
    });
  return withApi(context, { isDriving: true }, async (client) => {
    const partner = await findPartner(client, id, options);
    const files = createPendingFiles(client, partner, context.terminal.cwd);
    await files.add(options.attach ?? []);
    const lines = await context.terminal.openLines();
    try {
      return await talk({ context, client, partner, files, lines });
    } finally {
      lines.close();
    }
  });
}

interface Talk {
  readonly context: CommandContext;
  readonly client: ApiClient;
  readonly partner: Partner;
  readonly files: PendingFiles;
  readonly lines: LineReader;
}

async function talk({ context, client, partner, files, lines }: Talk): Promise<number> {
  const mark = context.hasColor.err ? '\x1b[36m›\x1b[0m' : '›';
  const { isInteractive } = lines;
  const remark = (text: string) => (isInteractive ? context.say(text) : undefined);
  const screen = answerScreen(context);
  const feed = await openFeed(client, screen.piece);
  let code: number = EXIT.fine;
  remark(`${oneLine(partner.name)} · ${partner.kind}. Ctrl-C cancels an answer, Ctrl-D leaves, /help says more.`);
  try {
    for (;;) {
      const input = await readMessage(lines, mark);
      if (input.kind === 'interrupt') return EXIT.interrupted;
      const text = input.kind === 'end' ? '/exit' : input.text;
      if (text === '/exit' || text === '/quit') return isInteractive ? EXIT.fine : code;
      if (text === '') continue;
      const attached = /^\/attach(?:\s+(.*))?$/.exec(text);
      if (text === '/help') context.say(HELP);
      else if (attached !== null) await attach(pathOfLine(attached[1] ?? ''));
      else if (text === '/new') {
        partner.reset();
        remark('  a new conversation');
      } else {
        const exchanged = await exchange(text);
        if (exchanged === undefined) code = EXIT.warning;
        else {
          code = exitCodeOfRun(exchanged.run);
          if (!exchanged.isOver) return code;
        }
      }
    }
  } finally {
    feed.close();
    const resume = partner.resume();
    if (resume !== undefined) remark(`go on with it: callsheet chat ${resume}`);
  }

  async function exchange(message: string): Promise<ChatAnswer | undefined> {
    const interrupt = new AbortController();
    const off = context.terminal.onSignal((signal) => {
      // A second Ctrl-C does not wait for the end of the run.
      if (interrupt.signal.aborted || signal === 'SIGTERM') context.terminal.exit(EXIT.interrupted);
      interrupt.abort();
    });
    const { count } = files;
    try {
      screen.begin();
      const run = await partner.send(message, await files.send());
      const writer = screen.show(run.id);
      const one = { context, client, feed, lines, writer, mark, interrupted: interrupt.signal };
      const exchanged = await followAnswer(one, run.id);
      partner.answered(exchanged.run);
      print(context, client, exchanged);
      return exchanged;
    } catch (error) {
      refused(error);
      if (count > 0)
        context.say(`  The message was not sent with its ${count === 1 ? 'file' : 'files'}: attach again.`);
      return undefined;
    } finally {
      off();
    }
  }

  async function attach(file: string): Promise<void> {
    try {
      const names = await files.add(file === '' ? [] : [file]);
      const waiting = names.length === 0 ? 'no file; write /attach and its path' : names.map(oneLine).join(', ');
      remark(`  with the next message: ${waiting}`);
    } catch (error) {
      refused(error);
    }
  }

  function refused(error: unknown): void {
    if (!(error instanceof EngineError) || error.code === 'INTERNAL') throw error;
    context.say(`  ${oneLine(error.message)} (${error.code})`);
    if (error.hint !== undefined) context.say(`  ${oneLine(error.hint)}`);
  }
}

/** What scripts read with `--json`, and what becomes of a run that waits. */
function print(context: CommandContext, client: ApiClient, { run, answer, isOver }: ChatAnswer): void {
  const { id, status, waitingFor, conversationId, sessionId, error } = run;
  const facts = { runId: id, status, waitingFor, conversationId, sessionId, answer, error };
  if (context.isJson) context.terminal.out(`${JSON.stringify(facts)}\n`);
  if (isOver) return;
  const when = client.isLive ? 'once it is answered' : 'after callsheet start';
  context.say(`run ${id} waits for you: ${nextCommand(run)}; it continues ${when}`);
}
