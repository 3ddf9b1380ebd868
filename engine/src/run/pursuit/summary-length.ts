/** Mails of so many characters or fewer are no long thread: their summary may have any length. */
const SHORT_THREAD = 4000;
/** Longest summary of any thread, in characters: a third of what roles read of the threads. */
const MOST = 20_000;

/** Most characters of the summary of mails that have so many; undefined where they are few. */
export function longestSummary(chars: number): number | undefined {
  return chars <= SHORT_THREAD ? undefined : Math.min(MOST, Math.floor(chars / 2));
}

/** What intake reads where its summary was too long. */
export function tooLongNote(chars: number, most: number): string {
  return `Your summary has ${chars} characters, which is too long for these mails. Write it again with ${most} at most.`;
}

/** The beginning of a summary that stays too long: whole sentences where there is one, else whole words. */
export function cutSummary(summary: string, most: number): string {
  const room = summary.slice(0, most - 1);
  const sentences = /^[\s\S]*[.!?](?=\s)/.exec(room)?.[0] ?? '';
  const kept = sentences.length > most / 2 ? sentences : (/^[\s\S]*(?=\s)/.exec(room)?.[0] ?? room);
  return `${kept.trimEnd()}…`;
}
