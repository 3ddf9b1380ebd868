import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMentions, mentionedIn } from '../../../engine/src/chat/message/mentions.ts';
import { growthOf } from '../../cpu-time.ts';

const jane = { id: 'jane', handle: 'jane-doe', displayName: 'Jane Doe' };
const max = { id: 'max', handle: 'max', displayName: 'Max' };
const power = { id: 'power', handle: 'max-power', displayName: 'Max Power' };
const second = { id: 'second', handle: 'max-2', displayName: 'Max' };
const ming = { id: 'ming', handle: 'ming', displayName: '小明' };
const plus = { id: 'plus', handle: 'c', displayName: 'C++' };
const people = [max, power, jane, second, ming, plus];

describe('a mention', () => {
  test.each<{ name: string; text: string; ids: string[] }>([
    { name: 'is a handle', text: '@jane-doe, please look', ids: ['jane'] },
    { name: 'is a handle in any case', text: 'ask @JANE-Doe', ids: ['jane'] },
    { name: 'is a display name with spaces', text: 'and @Jane Doe?', ids: ['jane'] },
    { name: 'is a display name in any case', text: '@jane doe.', ids: ['jane'] },
    { name: 'is the longest that matches', text: '@Max Power and @max-power', ids: ['power', 'power'] },
    { name: 'is a shorter one where the longest goes on as another word', text: '@Max Powerful', ids: ['max'] },
    { name: 'is none where another sign touches it', text: '@max@jane-doe', ids: [] },
    { name: 'is the first of two participants with one name', text: '@Max', ids: ['max'] },
    { name: 'is found by the handle of the second', text: '@max-2 go on', ids: ['second'] },
    { name: 'stands at the end of a sentence', text: 'Thanks, @max. And (@jane-doe)!', ids: ['max', 'jane'] },
    { name: 'stands in emphasis', text: '**@max** _@jane-doe_ *@Max Power*', ids: ['max', 'jane', 'power'] },
    { name: 'stands beside a slash and another mention', text: '@max/@jane-doe', ids: ['max', 'jane'] },
    { name: "takes a possessive 's", text: "@max's idea", ids: ['max'] },
    { name: 'begins a line', text: 'a\n@max\nb', ids: ['max'] },
    { name: 'touches words of scripts without spaces', text: '你好@小明你好', ids: ['ming'] },
    { name: 'ends in a sign', text: '@C++, and @c', ids: ['plus', 'plus'] },
    { name: 'has a space that does not break', text: '@Jane\u00a0Doe', ids: ['jane'] },
    { name: 'comes after a URL', text: 'https://x.example/a @max', ids: ['max'] },
    { name: 'comes after a backtick that closes nothing', text: 'a ` b\n\n@max and ` c', ids: ['max'] },
    { name: 'is none in an address', text: 'jane@max.example x+@max jane.doe@max', ids: [] },
    { name: 'is none in a URL', text: 'https://x.example/@max www.x.example?q=@max x.example?q=@max', ids: [] },
    { name: 'is none in an address that begins with a name', text: '@max@social.example @max.example', ids: [] },
    { name: 'is none in the name of a package', text: '@max/core', ids: [] },
    { name: 'is none in code', text: '`@max` and ``a ` @max``\n```\n@max\n```\n~~~js\n@max', ids: [] },
    { name: 'is none where a word goes on', text: '@maximum @max_x @max-powder @jane', ids: [] },
    { name: 'is none after a word', text: 'x@max ä@max a_@max', ids: [] },
    { name: 'is none where it is escaped', text: String.raw`\@max`, ids: [] },
    { name: 'is none over two lines', text: '@Jane\nDoe', ids: [] },
  ])('$name', ({ text, ids }) => {
    expect(findMentions(text, people).map(({ id }) => id)).toEqual(ids);
  });

  test('spans the sign and the name as written', () => {
    const text = 'Ask @JANE doe now';
    const [{ start, end } = { start: 0, end: 0 }] = findMentions(text, people);
    expect(text.slice(start, end)).toBe('@JANE doe');
  });

  test.each(['René', 'Zoë Müller', '한국', 'Ấn'])('matches %s however its accents are written', (displayName) => {
    const forms = [displayName.normalize('NFC'), displayName.normalize('NFD')];
    for (const name of forms)
      for (const written of forms)
        for (const caseSensitive of [false, true]) {
          const text = `Ä Ä: @${written}, and @max`;
          const found = findMentions(text, [{ id: 'one', handle: 'one', displayName: name }, max], { caseSensitive });
          expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([`@${written}`, '@max']);
        }
  });

  test('is none where an accent makes another name', () => {
    const rene = { id: 'rene', handle: 'r', displayName: 'Rene' };
    expect(findMentions('@Rene\u0301', [rene])).toEqual([]);
  });

  test('matches a name in its own case alone where the chat says so, a handle in any', () => {
    expect(mentionedIn('@jane doe, @JANE-DOE', people, { caseSensitive: true })).toEqual(['jane']);
    expect(findMentions('@jane doe', people, { caseSensitive: true })).toEqual([]);
    expect(mentionedIn('@Jane Doe', people, { caseSensitive: true })).toEqual(['jane']);
  });

  test('counts each participant once, in the order of the text', () => {
    expect(mentionedIn('@Max Power @max @max-power', people)).toEqual(['power', 'max']);
  });
});

const unit = fc.constantFrom(
  '@',
  'm',
  'max',
  'Max Power',
  'jane-doe',
  'C++',
  ' ',
  '\n',
  '`',
  '```',
  '.',
  '/',
  '_',
  '://',
  'ß',
  'İ',
  '小明',
  '💡',
);
const anyText = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));

describe('for any text', () => {
  test('mentions are in order, apart from each other, and read as a handle or a name', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { start, end, id } of findMentions(text, people)) {
          expect(start).toBeGreaterThanOrEqual(last);
          const one = people.find((person) => person.id === id);
          expect([one?.handle, one?.displayName.toLowerCase()]).toContain(text.slice(start + 1, end).toLowerCase());
          expect(text[start]).toBe('@');
          last = end;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('the order of the participants does not matter where all names differ', () => {
    const distinct = people.filter((one) => one !== second);
    fc.assert(
      fc.property(anyText, fc.shuffledSubarray(distinct, { minLength: distinct.length }), (text, shuffled) => {
        expect(findMentions(text, shuffled)).toEqual(findMentions(text, distinct));
      }),
    );
  });

  test('a mention between spaces is found behind any text without code', () => {
    const before = anyText.map((text) => text.replaceAll('`', ''));
    fc.assert(
      fc.property(before, fc.constantFrom(...people), (text, { id, handle }) => {
        expect(findMentions(`${text} @${handle} `, people).at(-1)?.id).toBe(id);
      }),
    );
  });

  test('an address around a mention hides it', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'x1', 'ü', 'a.b'), fc.constantFrom(...people), (local, { handle }) => {
        expect(findMentions(`to ${local}@${handle}.example or https://${local}/@${handle} `, people)).toEqual([]);
      }),
    );
  });
});

test.each([
  '@',
  '`',
  '``` ',
  'a.',
  '@max ',
  '@Max Power',
  '`@`` ',
  '://@',
  '_@',
  '\n```\n',
  'www.',
  'e\u0301',
  '\u0301\u0323',
])('ten times as much of %j takes about ten times as long, not a hundred', (part) => {
  const work = (size: number) => findMentions(part.repeat(size / part.length), people);
  expect(growthOf(work, { small: 30_000, large: 300_000 })).toBeLessThan(40);
});
