import type { Message } from '../../../model/model.ts';
import { type Run, threadOfRun } from '../../../run/run.ts';
import type { ConversationThread } from '../../../run/thread.ts';
import type { AnswerPiece } from '../../../trace/live-answers.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { type AnswerWriter, createAnswerWriter } from '../../terminal/answer-writer.ts';
import { widthOf } from '../../terminal/terminal.ts';

/** Prints answers of one run after the other. */
export interface AnswerScreen {
  /** Whether answers are shown while they arrive. */
  readonly isLive: boolean;
  /** Takes a piece of the answer of any run. */
  piece(piece: AnswerPiece): void;
  /** Called before a message is sent. */
  begin(): void;
  /** Shows the answers of this run from now on. */
  show(runId: string): AnswerWriter;
}

/** Where the answers of runs are printed, in a terminal while they arrive. Pieces of the run that is not known yet are kept until it is. */
export function answerScreen({ terminal, say, isJson }: CommandContext): AnswerScreen {
  const columns = terminal.isStdoutTty && !isJson ? widthOf(terminal) : undefined;
  const create = () => createAnswerWriter({ out: terminal.out, say: (text) => say(`  ${text}`), columns });
  let writer = create();
  let runId: string | undefined = '';
  let early: AnswerPiece[] = [];
  return {
    isLive: columns !== undefined,
    piece(piece) {
      if (runId === undefined) early.push(piece);
      else if (piece.runId === runId) writer.piece(piece);
    },
    begin() {
      [runId, early] = [undefined, []];
    },
    show(id) {
      runId = id;
      writer = create();
      for (const piece of early) if (piece.runId === id) writer.piece(piece);
      early = [];
      return writer;
    },
  };
}

/** The answer of a run that has ended: the text of its last message; `''` where it gave none. */
export async function readAnswer(client: ApiClient, run: Run): Promise<string> {
  const address = path`/api/conversations/${threadOfRun(run)}`;
  let last: Message | undefined;
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: ConversationThread = await client.request('GET', `${address}?after=${after}`);
    last = page.messages?.at(-1) ?? last;
    after = page.moreAfter;
  }
  return last?.role === 'assistant' ? (last.content ?? last.refusal ?? '') : '';
}
