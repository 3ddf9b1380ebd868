import { isRecord } from '../../base/json.ts';
import type { Recogniser } from '../../guard/privacy/recogniser.ts';
import type { PrivateKind } from '../../guard/privacy/private-span.ts';
import type { MailContent, MailSummary } from '../../mail/mail.ts';
import type { Recording, RoutedMail } from '../replay.ts';
import { plainMail } from './plain-mail.ts';

/** Longest piece of a recording that is looked through at once. */
const PIECE = 100_000;
const FIRST = [
  'Robin',
  'Alex',
  'Kim',
  'Sam',
  'Noor',
  'Jules',
  'Mika',
  'Sascha',
  'Toni',
  'Charlie',
  'Dana',
  'Eli',
  'Jona',
  'Luca',
  'Quinn',
];
const LAST = [
  'Vale',
  'Marsh',
  'Brook',
  'Field',
  'Holt',
  'Lane',
  'Moor',
  'Reed',
  'Thorne',
  'Wells',
  'Grove',
  'Heath',
  'Ridge',
  'Stone',
  'Winter',
];
/** Numbers that stand in documentation and belong to nobody. */
const CARDS = ['4111 1111 1111 1111', '5555 5555 5555 4444', '4012 8888 8888 1881'];
const IBANS = ['DE89 3704 0044 0532 0130 00', 'GB29 NWBK 6016 1331 9268 19', 'FR14 2004 1010 0505 0001 3M02 606'];

/**
 * A recording with fictitious people, addresses and numbers in place of those that the recognisers of the privacy layer find, each
 * always the same one. The mail is written anew from its texts, without attachments. The requests of the cassette no longer fit what
 * the engine asks: play it by order, and take its cassette.
 */
export async function redactRecording(
  recording: Recording,
  mail: RoutedMail | undefined,
  recogniser: Recogniser,
): Promise<Recording> {
  const { stimulus } = recording;
  const names = new Map<string, string>();
  const known = mail === undefined ? [] : peopleOf(mail.summary);
  for (const { name, address } of known) {
    if (name !== '') keepPerson(names, name);
    keep(names, 'email', address);
  }
  const texts = [mail === undefined ? '' : mailText(mail), textsIn({ ...recording, stimulus: undefined }).join('\n\n')];
  if (stimulus.kind !== 'mail') texts.push(stimulus.message);
  for (const text of texts)
    for (let at = 0; at < text.length; at += PIECE) {
      const found = await recogniser.recognise(text.slice(at, at + PIECE), { known, isUserWords: false });
      for (const { kind, text: value } of found)
        if (kind === 'person') keepPerson(names, value);
        else keep(names, kind, value);
    }
  const replace = replacer(names);
  const { name: caseName, ...rest } = JSON.parse(
    replace(JSON.stringify({ ...recording, stimulus: undefined })),
  ) as Recording;
  return { ...rest, name: caseName, stimulus: startOf(stimulus, mail, replace) };
}

function startOf(
  stimulus: Recording['stimulus'],
  mail: RoutedMail | undefined,
  replace: (text: string) => string,
): Recording['stimulus'] {
  if (stimulus.kind !== 'mail') return { ...stimulus, message: replace(stimulus.message) };
  if (mail === undefined) return stimulus;
  return { ...stimulus, mail: { ...stimulus.mail, raw: Buffer.from(plainMail(mail.content, replace)) } };
}

/** All texts of a value in which people may stand: an id or a hash is one word. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /[\s@]/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function peopleOf({
  from,
  to,
  cc,
  bcc,
  replyTo,
}: MailSummary): readonly { readonly name: string; readonly address: string }[] {
  return [from, to, cc, bcc, replyTo].flat();
}

function mailText({ content: { headers, text, html } }: { readonly content: MailContent }): string {
  return [...headers.map(({ name, value }) => `${name}: ${value}`), text, html].join('\n');
}

/** A person's full name, and its words alone where they are long enough to be names. */
function keepPerson(names: Map<string, string>, value: string): void {
  const words = value.split(/[\s,]+/).filter((word) => word !== '');
  if (names.has(value.toLowerCase()) || words.length === 0) return;
  const n = new Set([...names.values()].map((name) => name.split(' ')[0])).size;
  const [first, last] = [
    FIRST[n % FIRST.length] ?? '',
    `${LAST[(n + Math.floor(n / FIRST.length)) % LAST.length] ?? ''}`,
  ];
  names.set(value.toLowerCase(), words.length === 1 ? first : `${first} ${last}`);
  const [start, end] = [words[0] ?? '', words.at(-1) ?? ''];
  if (words.length > 1 && start.length > 2) names.set(start.toLowerCase(), names.get(start.toLowerCase()) ?? first);
  if (words.length > 1 && end.length > 2) names.set(end.toLowerCase(), names.get(end.toLowerCase()) ?? last);
}

function keep(names: Map<string, string>, kind: Exclude<PrivateKind, 'person'>, value: string): void {
  const key = value.toLowerCase();
  if (value === '' || names.has(key)) return;
  const n = [...names.keys()].length;
  names.set(key, fiction(kind, n));
}

function fiction(kind: Exclude<PrivateKind, 'person'>, n: number): string {
  switch (kind) {
    case 'email':
      return `${(FIRST[n % FIRST.length] ?? '').toLowerCase()}.${(LAST[Math.floor(n / FIRST.length) % LAST.length] ?? '').toLowerCase()}${n}@example.org`;
    case 'phone':
      return `+1 202 555 ${String(100 + (n % 100)).padStart(4, '0')}`;
    case 'card':
      return CARDS[n % CARDS.length] ?? '';
    case 'iban':
      return IBANS[n % IBANS.length] ?? '';
    default:
      return kind satisfies never;
  }
}

/** Replaces every value in every spelling of its case; longer ones first, since a name may stand within an address. */
function replacer(names: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...names.keys()].sort((a, b) => b.length - a.length);
  if (values.length === 0) return (text) => text;
  const pattern = new RegExp(
    values
      .map(
        (value) =>
          `${/^\w/.test(value) ? '(?<![\\p{L}\\p{N}])' : ''}${escape(value)}${/\w$/.test(value) ? '(?![\\p{L}\\p{N}])' : ''}`,
      )
      .join('|'),
    'giu',
  );
  return (text) => text.replace(pattern, (found) => names.get(found.toLowerCase()) ?? found);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
