/** Maildir flags under the names that IMAP and JMAP give the same facts (RFC 9051 2.3.2). */
const FLAGS: Readonly<Record<string, string>> = {
  F: '\\Flagged',
  R: '\\Answered',
  S: '\\Seen',
  P: '$Forwarded',
  D: '\\Draft',
  T: '\\Deleted',
};

/** Labels of a Maildir file name: the letters after `:2,` (or `;2,` and `!2,`, where `:` cannot be in a file name). */
export function maildirFlags(name: string): string[] {
  const letters = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? '';
  return [...letters].flatMap((letter) => FLAGS[letter] ?? []);
}
