import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMentions } from '../../../engine/src/chat/message/mentions.ts';
import { inlineOf, type Inline } from '../../../ui/markdown/inline.ts';
import { matching, mentionFinder, mentionOf, typedMention } from '../../../ui/chat/mentions.ts';
import { makeParticipant } from '../../browser/fake/chat-fixtures.ts';

const PEOPLE = [
  makeParticipant('a_1', { displayName: 'Jane Doe' }),
  makeParticipant('a_2', { displayName: 'Jane' }),
  makeParticipant('a_3', { displayName: 'Max' }),
  makeParticipant('a_4', { displayName: 'Ünal Ğ', handle: 'unal-g' }),
  makeParticipant('a_5', { displayName: '田中', handle: 'tanaka' }),
];

/** The participants that the page marks in a line, in order. */
function marked(text: string, caseSensitive = false): readonly string[] {
  const find = mentionFinder({ participants: PEOPLE, mentions: { caseSensitive } });
  const walk = (parts: readonly Inline[]): string[] =>
    parts.flatMap((part) => (part.kind === 'mention' ? [part.participantId] : 'parts' in part ? walk(part.parts) : []));
  return walk(inlineOf(text, find));
}

test.each([
  ['a name', 'Hi @Max!', ['a_3']],
  ['the longest name', '@Jane Doe and @Jane', ['a_1', 'a_2']],
  ['a handle', '@jane-doe, @MAX', ['a_1', 'a_3']],
  ['no address', 'mail max@Max.example, https://x.example/@Max', []],
  ['no part of a word', '@Maxime', []],
  ['a name in bold', '**@Max**', ['a_3']],
  ['no code', '`@Max`', []],
  ['two with a slash', '@Max/@Jane', ['a_3', 'a_2']],
  ['a name with combining accents', 'A\u0308 @U\u0308nal G\u0306, @Max', ['a_4', 'a_3']],
])('%s is marked as the server finds it', (_name, text, expected) => {
  expect(marked(text)).toEqual(expected);
  expect(findMentions(text, PEOPLE).map(({ id }) => id)).toEqual(expected);
});

// No marks of Markdown: those may split a name for the page, which is no harm.
const word = fc.constantFrom(
  ...[
    '@',
    'Max',
    'jane',
    'Jane Doe',
    'JANE-DOE',
    '田中',
    'Ünal Ğ',
    'U\u0308nal G\u0306',
    '\u0301',
    'unal-g',
    'x',
    ' ',
    '.',
    '/',
    ':',
    '-',
    '_',
    ',',
    '@Max',
    '@Jane',
    'www.',
    '://',
    '\n',
  ],
);

test.each([false, true])('the page marks what the server finds in any line, case sensitive: %s', (caseSensitive) => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 14 }), (words) => {
      const text = words.join('').replaceAll('_', '.');
      expect(marked(text, caseSensitive)).toEqual(findMentions(text, PEOPLE, { caseSensitive }).map(({ id }) => id));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['Hello @', { at: 6, query: '' }],
  ['Hello @jane d', { at: 6, query: 'jane d' }],
  ['a@b', undefined],
  ['@max\nmore', undefined],
  ['@ max', undefined],
  ['nothing', undefined],
])('while %j is typed, the mention is %j', (text, expected) => {
  expect(typedMention(text, text.length)).toEqual(expected);
});

test('the list has those whose name, handle or word begins with what was typed', () => {
  const names = (query: string) => matching(PEOPLE, query).map(({ displayName }) => displayName);
  expect(names('ja')).toEqual(['Jane Doe', 'Jane']);
  expect(names('doe')).toEqual(['Jane Doe']);
  expect(names('tan')).toEqual(['田中']);
  expect(names('zzz')).toEqual([]);
});

test('a mention is the name, or the handle where two have one name', () => {
  const [first, ...rest] = PEOPLE;
  const twin = makeParticipant('a_9', { displayName: 'jane doe', handle: 'jane-doe-2' });
  expect(mentionOf(first!, PEOPLE)).toBe('@Jane Doe');
  expect(mentionOf(first!, [first!, ...rest, twin])).toBe('@jane-doe');
});
