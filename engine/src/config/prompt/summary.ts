/** Longest summary that is kept, in characters. */
const MAX_SUMMARY = 4000;
/** Longest and shortest part of one message that a summary is made from. */
const MAX_MESSAGE = 4000;
const MIN_MESSAGE = 300;
/** Most characters of all messages together that a summary is made from. */
export const MAX_SUMMARISED = 60_000;
const CUT = '\n[cut]';

/** What the instructions for a summary name. */
interface Summarised {
  /** What it is of. */
  readonly subject: string;
  /** Who reads it, with the verbs: "an assistant who goes on with it and does". */
  readonly readers: string;
  /** What it keeps of what was decided. */
  readonly decided: string;
  /** Most characters, as the model reads it. */
  readonly most: string;
}

/** The sentences that ask a model for a summary; the caller ends the last one. */
export function summaryInstructions({ subject, readers, decided, most }: Summarised): string {
  return `You write the summary of the earlier part of a ${subject} for ${readers} not see that part any more. Keep what was asked and answered, ${decided}, promises, open questions, names, dates, figures and ids. Leave out greetings. Write at most ${most} characters of plain text, in the language of the ${subject}`;
}

/** The summary so far, as the first of the texts that the next one is made from. */
export function summarySoFar(text: string): string[] {
  return text === '' ? [] : [`Summary so far:\n${text}`];
}

/** Most characters of one of `count` messages, so that all of them have about `most`. */
export function messageShare(count: number, most = MAX_SUMMARISED): number {
  return Math.min(MAX_MESSAGE, Math.max(MIN_MESSAGE, Math.floor(most / Math.max(1, count))));
}

/** A text that has at most so many characters; it says where it was cut. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most - CUT.length).toWellFormed() + CUT;
}

/** The answer of a model that is a summary. */
export function summaryOf(answer: string | null | undefined): string {
  return shortened((answer ?? '').trim(), MAX_SUMMARY);
}
