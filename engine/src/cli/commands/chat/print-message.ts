import type { ChatMessage, Participant } from '../../../chat/chat.ts';
import type { CommandContext } from '../../context.ts';
import type { AnswerWriter } from '../../terminal/answer-writer.ts';
import { plain } from '../../terminal/table.ts';
import { nameIn } from '../chats/name-in.ts';
import type { AnswerScreen } from '../run/print-answer.ts';

/** Prints the messages of a group chat, each once. */
export interface MessagePrinter {
  /** Number of the last message that was printed. */
  readonly last: number;
  /** Notes a message that the person sees already, since they wrote it here. */
  sent(message: ChatMessage): void;
  /** Shows the reply of a run while it is written, with the name of its author above. */
  show(participant: Participant, runId: string): void;
  /** The run whose reply is shown while it is written. */
  readonly shown: string | undefined;
  /** Stops to show a reply that ended without a message. */
  drop(): void;
  /** Ends the line, so that something else can be printed. */
  endLine(): void;
  /** Prints a message, or what is missing of one that was shown while it was written. Nothing where it was printed before. */
  print(participants: readonly Participant[], message: ChatMessage): void;
}

/** Messages go to stdout: the name, then the text. With `--json` each is one line of JSON. */
export function createMessagePrinter(
  { terminal, hasColor, isJson }: CommandContext,
  screen: AnswerScreen,
): MessagePrinter {
  let last = 0;
  let runId: string | undefined;
  let writer: AnswerWriter | undefined;
  const head = (participants: readonly Participant[], author: Pick<ChatMessage, 'authorId' | 'authorDisplayName'>) =>
    terminal.out(`\n${nameIn({ participants }, author, hasColor.out)}\n`);
  const drop = () => {
    writer?.endLine();
    [runId, writer] = [undefined, undefined];
    screen.begin();
  };
  return {
    get last() {
      return last;
    },
    get shown() {
      return runId;
    },
    sent({ seq }) {
      // What others wrote just before is printed with the replies.
      if (seq === last + 1) last = seq;
    },
    show(participant, run) {
      if (!screen.isLive || writer !== undefined) return;
      runId = run;
      head([participant], { authorId: participant.id, authorDisplayName: participant.displayName });
      writer = screen.show(run);
    },
    drop,
    endLine: () => writer?.endLine(),
    print(participants, message) {
      if (message.seq <= last) return;
      last = message.seq;
      if (isJson) return void terminal.out(`${JSON.stringify(message)}\n`);
      if (writer !== undefined && message.meta.runId === runId && message.meta.error === undefined) {
        writer.finish(message.text);
        return drop();
      }
      writer?.endLine();
      head(participants, message);
      terminal.out(`${plain(message.text.trimEnd())}\n`);
    },
  };
}
