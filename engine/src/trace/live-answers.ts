/** A piece of an answer that a person reads while it arrives. Nothing of it is stored; the message in the thread is what counts. */
export interface AnswerPiece {
  readonly runId: string;
  /** The thread that gets the message. */
  readonly threadId: string;
  /** Number of the model request in its thread, from 1. */
  readonly turn: number;
  /** Where `text` stands in the answer, in UTF-16 units; what stood there and after it is gone. 0: the answer begins, or begins anew. */
  readonly at: number;
  readonly text: string;
  /** True for the last piece: the text is that of the stored message, or `''` where none was stored. */
  readonly done?: true;
}

type Listener = (piece: AnswerPiece) => void;

/**
 * Delivers answers while they arrive, to listeners of this process only: pieces do not go to other processes, since the database
 * would carry them in plain text.
 */
export class LiveAnswers {
  readonly #listeners = new Set<Listener>();
  /** What has arrived so far, by thread. */
  readonly #open = new Map<string, AnswerPiece>();

  /** Whether anybody listens; if not, no piece has to be made. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The answers that arrive now, each as one piece, for a listener that comes late. */
  get open(): readonly AnswerPiece[] {
    return [...this.#open.values()];
  }

  /** Delivers a piece to all listeners. */
  publish(piece: AnswerPiece): void {
    const { threadId, at, text, done } = piece;
    const before = this.#open.get(threadId)?.text ?? '';
    if (done === true) this.#open.delete(threadId);
    else this.#open.set(threadId, { ...piece, at: 0, text: before.slice(0, at) + text });
    for (const listener of this.#listeners) listener(piece);
  }

  /** Calls `listener` for each piece from now on; the returned function unsubscribes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
