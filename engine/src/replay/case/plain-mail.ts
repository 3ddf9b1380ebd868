import type { MailContent } from '../../mail/mail.ts';

/** Headers that describe how a mail was encoded: it is written anew. */
const OF_ENCODING = /^(content-|mime-version$)/i;
const BOUNDARY = 'callsheet-case';

/** A mail as UTF-8 text that people can read and compare, with its headers and texts changed by `edit`. Attachments are left out. */
export function plainMail({ headers, text, html }: MailContent, edit: (text: string) => string): string {
  const kept = headers
    .filter(({ name }) => !OF_ENCODING.test(name))
    .map(({ name, value }) => `${name}: ${encoded(edit(value).replace(/\s+/g, ' ').trim())}`);
  const part = (type: string, body: string) =>
    `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${edit(body).replace(/\r?\n/g, '\r\n')}`;
  const bodies = [
    ...(text !== '' || html === '' ? [part('text/plain', text)] : []),
    ...(html !== '' ? [part('text/html', html)] : []),
  ];
  const head = [...kept, 'MIME-Version: 1.0'].join('\r\n');
  if (bodies.length === 1) return `${head}\r\n${bodies[0]}\r\n`;
  const parts = bodies.map((body) => `--${BOUNDARY}\r\n${body}\r\n`).join('');
  return `${head}\r\nContent-Type: multipart/alternative; boundary="${BOUNDARY}"\r\n\r\n${parts}--${BOUNDARY}--\r\n`;
}

/** RFC 2047, for words that are not ASCII. */
function encoded(value: string): string {
  return value.replace(
    /[^\x00-\x7f]+(?:\s+[^\x00-\x7f]+)*/g,
    (words) => `=?utf-8?B?${Buffer.from(words).toString('base64')}?=`,
  );
}
