import type { Page } from '../../../api/http/paging.ts';
import type { Chat, ChatMessage, Participant } from '../../../chat/chat.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import type { LiveFeed } from '../../live-feed.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import type { AnswerScreen } from '../run/print-answer.ts';
import { askPerson } from './ask-person.ts';
import { pause } from './follow-answer.ts';
import type { MessagePrinter } from './print-message.ts';

/** What following a chat needs. */
export interface ChatFollowing {
  readonly context: CommandContext;
  readonly client: ApiClient;
  readonly feed: Pick<LiveFeed, 'changed'>;
  readonly lines: LineReader;
  readonly screen: AnswerScreen;
  readonly printer: MessagePrinter;
  /** The mark of a prompt. */
  readonly mark: string;
  /** Aborted by Ctrl-C: who speaks is cancelled. */
  readonly interrupted: AbortSignal;
}

/**
 * Follows a chat until nobody speaks: shows one reply while it is written, prints messages once they are appended, and asks the person
 * what the speakers wait for. Resolves with an exit code: 1 where a participant failed, 3 where one waits and there is no more input.
 */
export async function followRounds(following: ChatFollowing, chatId: string): Promise<number> {
  const { context, client, feed, lines, printer, mark, interrupted } = following;
  const say = (text: string) => {
    printer.endLine();
    context.terminal.err(`${text}\n`);
  };
  const options = { client, lines, say, mark, width: widthOf(context.terminal) };
  let code: number = EXIT.fine;
  let number = 0;
  for (;;) {
    // Before the chat is read, so that no change is missed.
    const changed = feed.changed();
    const chat = await client.request<Chat>('GET', path`/api/chats/${chatId}`);
    for (const message of await messagesAfter(client, chatId, printer.last)) {
      printer.print(chat.participants, message);
      if (message.meta.error !== undefined) code = EXIT.warning;
    }
    const { round } = chat;
    if (round === undefined) {
      printer.drop();
      return code;
    }
    const speakers = round.participants.flatMap((one) => {
      const participant = chat.participants.find(({ id }) => id === one.participantId);
      return participant === undefined ? [] : [{ ...one, participant }];
    });
    if (round.number !== number && lines.isInteractive) sayWho(context, speakers);
    number = round.number;
    const shown = speakers.find(({ runId }) => runId === printer.shown);
    if (
      printer.shown !== undefined &&
      (shown === undefined || shown.status === 'failed' || shown.status === 'cancelled')
    )
      printer.drop();
    if (interrupted.aborted) await client.request('POST', path`/api/chats/${chatId}/cancel`, { body: {} });
    else {
      const next = speakers.find(({ status, runId }) => status === 'running' && runId !== undefined);
      if (next?.runId !== undefined) printer.show(next.participant, next.runId);
      const waiting = speakers.find(({ status, runId }) => status === 'waiting' && runId !== undefined);
      if (waiting?.runId !== undefined && (await isAsking(client, waiting.runId))) {
        say(`\n${oneLine(waiting.participant.displayName)} asks:`);
        const how = await askPerson(options, waiting.runId);
        if (how === 'end') return EXIT.person;
        if (how === 'interrupt') await client.request('POST', path`/api/chats/${chatId}/cancel`, { body: {} });
        continue;
      }
    }
    await pause(changed, interrupted);
  }
}

/** Whether a person has something to answer; a speaker may also wait for a limit. */
async function isAsking(client: ApiClient, runId: string): Promise<boolean> {
  const query = new URLSearchParams({ status: 'pending', runId, limit: '1' });
  return (await client.request<Page<unknown>>('GET', `/api/approvals?${query}`)).items.length > 0;
}

function sayWho({ say }: CommandContext, speakers: readonly { readonly participant: Participant }[]): void {
  const names = speakers.map(({ participant }) => oneLine(participant.displayName));
  if (names.length > 0) say(`  ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} writing …`);
}

/** The messages after a number, oldest first. */
async function messagesAfter(client: ApiClient, chatId: string, seq: number): Promise<ChatMessage[]> {
  const found: ChatMessage[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await client.request<Page<ChatMessage>>('GET', `${path`/api/chats/${chatId}/messages`}?${query}`);
    found.unshift(...page.items.filter((message) => message.seq > seq));
    cursor = (page.items[0]?.seq ?? 0) > seq + 1 ? page.nextCursor : null;
  }
  return found;
}
