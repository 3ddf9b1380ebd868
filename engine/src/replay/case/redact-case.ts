import { isRecord } from '../../base/json.ts';
import type { Recogniser } from '../../guard/privacy/recogniser.ts';
import type { PrivateKind } from '../../guard/privacy/private-span.ts';
import type { MailContent, MailSummary } from '../../mail/mail.ts';
import type { Cassette } from '../cassette.ts';
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

/** Fields that name a part of the engine or of the config, or a time: never a person. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  ...[
    'id',
    'hash',
    'kind',
    'type',
    'role',
    'tool',
    'tools',
    'toolLists',
    'agentId',
    'directorId',
    'filterId',
    'accountId',
  ],
  ...[
    'tool_call_id',
    'provider',
    'model',
    'parameters',
    'unavailable',
    'at',
    'code',
    'state',
    'status',
    'stop',
    'effects',
  ],
  ...['decision', 'waitingFor', 'mimeType', 'untrusted', 'createdAt', 'receivedAt'],
]);
/** Fields with values of tools and models, in which every text may name a person. */
const FREE: ReadonlySet<string> = new Set(['arguments', 'result']);

/** The name in `Ada Ray <ada@example.org>`. */
const BEFORE_ADDRESS =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}'’.-]{0,40}(?: \p{Lu}[\p{L}'’.-]{0,40}){0,3}) <[^<>@\s]{1,64}@[^<>\s]{1,255}>/gu;

/** Values that are replaced, in lower case, with what stands for them. */
interface Fictions {
  readonly names: Map<string, string>;
  /** Words of names that may also be everyday words: they stay where they stand in lower case. */
  readonly words: Set<string>;
}

/**
 * A recording with fictitious people, addresses and numbers in place of those that the recognisers of the privacy layer find, each
 * always the same one. Only values change; keys, ids and names of tools stay. The mail is written anew from its texts, without
 * attachments. The requests of the cassette no longer fit what the engine asks: play it by order, and take its cassette.
 */
export async function redactRecording(
  recording: Recording,
  mail: RoutedMail | undefined,
  recogniser: Recogniser,
): Promise<Recording> {
  const { name: caseName, stimulus, ...rest } = { ...recording, cassette: withoutFiles(recording.cassette) };
  const fictions: Fictions = { names: new Map(), words: new Set() };
  const known = mail === undefined ? [] : peopleOf(mail.summary);
  for (const { name, address } of known) {
    if (name !== '') keepPerson(fictions, name);
    keep(fictions, 'email', address);
  }
  const texts = [mail === undefined ? '' : mailText(mail), textsIn(rest).join('\n\n')];
  if (stimulus.kind !== 'mail') texts.push(stimulus.message);
  // Before an address stands a name, also where the recogniser knows a part of it only.
  for (const text of texts) for (const [, name = ''] of text.matchAll(BEFORE_ADDRESS)) keepPerson(fictions, name);
  for (const text of texts)
    for (let at = 0; at < text.length; at += PIECE) {
      const found = await recogniser.recognise(text.slice(at, at + PIECE), { known, isUserWords: false });
      for (const { kind, text: value } of found)
        if (kind !== 'person') keep(fictions, kind, value);
        else {
          keepPerson(fictions, value);
          // A recogniser looks at the words around: here a word in lower case is a name.
          if (value === value.toLowerCase()) fictions.words.delete(value);
        }
    }
  const replace = replacer(fictions);
  return { ...mapTexts(rest, replace), name: caseName, stimulus: startOf(stimulus, mail, replace) };
}

/** A cassette whose files are empty: what is encoded in them cannot be replaced. */
function withoutFiles(cassette: Cassette): Cassette {
  const empty = (files: NonNullable<Cassette['calls'][number]['files']>) =>
    files.map((file) => ({ ...file, encoding: 'utf8' as const, data: '' }));
  return {
    ...cassette,
    calls: cassette.calls.map(({ files, ...call }) => (files === undefined ? call : { ...call, files: empty(files) })),
  };
}

/** A copy of a value with its texts changed by `edit`: keys stay, and so do identifiers outside of arguments and results. */
function mapTexts<T>(value: T, edit: (text: string) => string): T {
  const map = (one: unknown, isFree: boolean): unknown => {
    if (typeof one === 'string') return edit(one);
    if (Array.isArray(one)) return one.map((item) => map(item, isFree));
    if (!isRecord(one)) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, item]) => {
        if (!isFree && (IDENTIFIERS.has(key) || (key === 'name' && 'arguments' in one))) return [key, item];
        return [key, map(item, isFree || FREE.has(key))];
      }),
    );
  };
  // The same shape: only texts differ.
  return map(value, false) as T;
}

function startOf(
  stimulus: Recording['stimulus'],
  mail: RoutedMail | undefined,
  replace: (text: string) => string,
): Recording['stimulus'] {
  if (stimulus.kind !== 'mail') return { ...stimulus, message: replace(stimulus.message) };
  if (mail === undefined) return stimulus;
  const { threadId } = stimulus.mail;
  const named = threadId === undefined ? {} : { threadId: replace(threadId) };
  return { ...stimulus, mail: { ...stimulus.mail, ...named, raw: Buffer.from(plainMail(mail.content, replace)) } };
}

/** All texts of a value in which people may stand: an id or a hash is one word. */
function textsIn(value: unknown): string[] {
  // Arguments and results are JSON within texts, with escaped line breaks.
  if (typeof value === 'string') return /[\s@]/.test(value) ? [value.replace(/\\[nrt]/g, '\n')] : [];
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
function keepPerson({ names, words: alone }: Fictions, value: string): void {
  const words = value.split(/[\s,]+/).filter((word) => word !== '');
  if (names.has(value.toLowerCase()) || words.length === 0) return;
  const n = new Set([...names.values()].map((name) => name.split(' ')[0])).size;
  const [first, last] = [
    FIRST[n % FIRST.length] ?? '',
    `${LAST[(n + Math.floor(n / FIRST.length)) % LAST.length] ?? ''}`,
  ];
  const add = (word: string, stand: string) => {
    if (names.has(word.toLowerCase())) return;
    names.set(word.toLowerCase(), stand);
    alone.add(word.toLowerCase());
  };
  if (words.length === 1) return add(value, first);
  names.set(value.toLowerCase(), `${first} ${last}`);
  const [start, end] = [words[0] ?? '', words.at(-1) ?? ''];
  if (start.length > 2) add(start, first);
  if (end.length > 2) add(end, last);
}

function keep({ names }: Fictions, kind: Exclude<PrivateKind, 'person'>, value: string): void {
  const key = value.toLowerCase();
  if (value === '' || names.has(key)) return;
  names.set(key, fiction(kind, names.size));
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

/**
 * Replaces every value in every spelling of its case; longer ones first, since a name may stand within an address. An escaped line
 * break, as in arguments that are JSON, is no letter before a value.
 */
function replacer({ names, words }: Fictions): (text: string) => string {
  const values = [...names.keys()].sort((a, b) => b.length - a.length);
  if (values.length === 0) return (text) => text;
  const [start, end] = ['(?:(?<![\\p{L}\\p{N}])|(?<=\\\\[nrt]))', '(?![\\p{L}\\p{N}])'];
  const pattern = new RegExp(
    values
      .map(
        (value) =>
          `${/^[\p{L}\p{N}]/u.test(value) ? start : ''}${RegExp.escape(value)}${/[\p{L}\p{N}]$/u.test(value) ? end : ''}`,
      )
      .join('|'),
    'giu',
  );
  return (text) =>
    text.replace(pattern, (found) => {
      const key = found.toLowerCase();
      return words.has(key) && found === key ? found : (names.get(key) ?? found);
    });
}
