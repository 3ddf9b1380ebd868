/** Maildir flags under the names of the same flags in IMAP and JMAP (RFC 9051 2.3.2). */
const FLAGS: Readonly<Record<string, string>> = {
  F: '\\Flagged',
  R: '\\Answered',
  S: '\\Seen',
  P: '$Forwarded',
  D: '\\Draft',
  T: '\\Deleted',
};

/**
 * Labels of a Maildir file name: the letters after `:2,` (or `;2,` and `!2,`, where a file name cannot contain `:`).
 */
export function maildirFlags(name: string): string[] {
  const letters = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? '';
  return [...letters].flatMap((letter) => FLAGS[letter] ?? []);
}
