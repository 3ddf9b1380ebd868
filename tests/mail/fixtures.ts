import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MailFacts } from '../../engine/src/mail/mail.ts';
import { corpora } from '../available.ts';

/** Facts of a mail that no test looks at. */
export const facts: MailFacts = {
  id: 'mail_1',
  accountId: 'inbox',
  ownAddresses: ['me@example.org'],
  receivedAt: '2026-01-02T03:04:05.000Z',
  labels: [],
  readsLabelHeaders: true,
};

/** Raw MIME from lines, with CRLF as on the wire. */
export function mailOf(...lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join('\r\n'));
}

/** One message of the corpus and the fields on which independent parsers agree. */
export interface Expected {
  readonly file: string;
  readonly hard: readonly string[];
  readonly expect: Readonly<Record<string, unknown>>;
}

/** The rows of the mail corpus; none where there is no corpus. */
export const expectedMails: readonly Expected[] =
  corpora === undefined
    ? []
    : readFileSync(join(corpora, 'email', 'expected.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Expected);

/** Raw bytes of a message of the corpus, in a buffer of their own. */
export function corpusMail(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(corpora ?? '', 'email', file)));
}
