import { expect, test } from 'vitest';
import { matchRule } from '../../../engine/src/config/rule/match-rule.ts';
import { bareAddress } from '../../../engine/src/config/rule/bare-address.ts';
import { parseRule } from '../../../engine/src/config/rule/parse-rule.ts';
import { matchesWildcard } from '../../../engine/src/config/rule/wildcard.ts';
import { growthOf } from '../../cpu-time.ts';

const addresses = ['to', 'cc', 'bcc'];
const company = 'mail_send(to=*@company.com)';

/** Whether `allow`, and whether `deny` and `ask`, match a call. */
function matches(rule: string, args: Record<string, unknown>, tool = 'mail_send') {
  const of = (mode: 'every' | 'some') =>
    matchRule(rule, tool, args, { mode, ...(tool === 'mail_send' && { addresses }) });
  return { allow: of('every'), deny: of('some') };
}

test.each<[string, string, Record<string, unknown>, boolean, boolean]>([
  ['one address', company, { to: ['ann@company.com'] }, true, true],
  ['another domain', company, { to: ['ann@evil.com'] }, false, false],
  ['a list of which every element matches', company, { to: ['a@company.com', 'b@company.com'] }, true, true],
  ['a list of which one element matches', company, { to: ['a@company.com', 'b@evil.com'] }, false, true],
  ['a missing argument', company, { cc: ['a@company.com'] }, false, false],
  ['an argument that is null', company, { to: null }, false, false],
  ['an empty list', company, { to: [] }, false, false],
  ['a list with nothing in it', company, { to: [null] }, false, false],
  ['two arguments that match', 'mail_send(to=*@a.org, cc=*@b.org)', { to: ['x@a.org'], cc: ['y@b.org'] }, true, true],
  ['two arguments of which one matches', 'mail_send(to=*@a.org, cc=*@b.org)', { to: ['x@a.org'] }, false, false],
  ['the star for everybody', 'mail_send(to=*)', { to: ['anybody@anywhere.org'] }, true, true],
  ['a rule without arguments', 'mail_*', {}, true, true],
  ['a rule for another tool', 'mail_draft(to=*)', { to: ['a@company.com'] }, false, false],
  ['letter case', company, { to: ['Ann@COMPANY.com'] }, true, true],
  ['letter case of the pattern', 'mail_send(to=Ann@Company.COM)', { to: ['ann@company.com'] }, true, true],
  ['a display name', company, { to: ['Ann Lee <ann@company.com>'] }, true, true],
  ['an address as a display name in quotes', company, { to: ['"a@company.com" <x@evil.com>'] }, false, false],
  ['an address as a display name', company, { to: ['a@company.com <x@evil.com>'] }, false, true],
  ['a look-alike letter in the domain', company, { to: ['a@c\u043empany.com'] }, false, false],
  ['full-width letters in the domain', company, { to: ['a@\uff43ompany.com'] }, false, true],
  ['an invisible character in the domain', company, { to: ['a@comp\u200bany.com'] }, false, true],
  ['a sign for the other writing direction', company, { to: ['a@company.com\u202e'] }, false, true],
  ['a line break and a second address', company, { to: ['x@evil.com\n,a@company.com'] }, false, true],
  ['two addresses in one text', company, { to: ['x@evil.com, a@company.com'] }, false, true],
  ['two addresses behind a semicolon', company, { to: ['x@evil.com;a@company.com'] }, false, true],
  ['two @', company, { to: ['x@evil.com@company.com'] }, false, true],
  ['a quoted part before the @', company, { to: ['"x@evil.com "@company.com'] }, false, true],
  ['a comment', company, { to: ['x@evil.com (a@company.com)'] }, false, true],
  ['a longer domain', company, { to: ['a@company.com.evil.com'] }, false, false],
  ['a domain that ends alike', company, { to: ['a@notcompany.com'] }, false, false],
  ['a domain with a dot at the end', company, { to: ['a@company.com.'] }, false, true],
  [
    'the sign for Kelvin, whose small letter is k',
    'mail_send(to=kate@a.org)',
    { to: ['\u212aate@a.org'] },
    false,
    true,
  ],
  ['a domain in other scripts', 'mail_send(to=*@b\u00fccher.de)', { to: ['a@xn--bcher-kva.de'] }, true, true],
  ['the same the other way round', 'mail_send(to=*@xn--bcher-kva.de)', { to: ['a@b\u00fccher.de'] }, true, true],
  ['an object', company, { to: [{ address: 'a@company.com' }] }, false, true],
])('%s', (_name, rule, args, allow, deny) => {
  expect(matches(rule, args)).toEqual({ allow, deny });
});

const drafts = 'notebook_write_file(path=drafts/**)';

test.each<[string, string, string, boolean, boolean]>([
  ['a file below the folder', drafts, 'drafts/a/b.md', true, true],
  ['the same with a slash before it', drafts, '/drafts/a.md', true, true],
  ['the same in other words', drafts, './drafts//./a.md', true, true],
  ['a file elsewhere', drafts, 'notes/a.md', false, false],
  ['a folder that begins alike', drafts, 'drafts2/a.md', false, false],
  ['a way out', drafts, 'drafts/../notes/a.md', false, true],
  ['a backslash', drafts, 'drafts\\..\\a.md', false, true],
  ['a control character', drafts, 'drafts/a\u0000.md', false, true],
  ['another letter case', drafts, 'Drafts/a.md', false, true],
  ['a folder with a slash at its end', 'notebook_write_file(path=drafts/)', 'drafts/a.md', true, true],
  ['one star within a folder', 'notebook_write_file(path=drafts/*.md)', 'drafts/a.md', true, true],
  ['one star and a folder between', 'notebook_write_file(path=drafts/*.md)', 'drafts/b/a.md', false, false],
  ['one star at the root', 'notebook_write_file(path=*.md)', 'drafts/a.md', false, false],
  ['two stars before a name', 'notebook_write_file(path=**/a.md)', 'a.md', true, true],
  ['two stars before a name in folders', 'notebook_write_file(path=**/a.md)', 'x/y/a.md', true, true],
  ['two stars and a longer name', 'notebook_write_file(path=**/a.md)', 'x/ba.md', false, false],
  ['two stars between', 'notebook_write_file(path=a/**/b)', 'a/b', true, true],
])('a path: %s', (_name, rule, path, allow, deny) => {
  expect(matches(rule, { path }, 'notebook_write_file')).toEqual({ allow, deny });
});

const site = 'fetch(url=https://*.company.com/docs/**)';

test.each<[string, Record<string, unknown>, string, boolean, boolean]>([
  ['a text', { subject: 'Offer 3/4' }, 'x(subject=Offer*)', true, true],
  ['a text in another letter case', { subject: 'OFFER' }, 'x(subject=offer)', false, true],
  ['a number', { count: 3 }, 'x(count=3)', true, true],
  ['a truth value', { all: true }, 'x(all=true)', true, true],
  ['a value inside an object', { event: { title: 'Hold' } }, 'x(event.title=Hold)', true, true],
  ['a value that an object inherits', { event: {} }, 'x(event.constructor=*)', false, false],
  ['a list in a list', { rows: [['a'], ['b']] }, 'x(rows=a)', false, true],
  ['an address of a tool that names no recipients', { to: '"a@c.org" <x@evil.com>' }, 'x(to=*@c.org)', false, false],
  ['a comma in a pattern', { title: 'a, b' }, 'x(title=a, b)', true, true],
])('%s of any tool', (_name, args, rule, allow, deny) => {
  expect(matches(rule, args, 'x')).toEqual({ allow, deny });
});

test.each<[string, string, boolean, boolean]>([
  ['a page of it', 'https://www.company.com/docs/a?b=c', true, true],
  ['capital letters in the host', 'HTTPS://WWW.Company.com/docs/a', true, true],
  ['another host with this one in its query', 'https://evil.com/?.company.com/docs/a', false, false],
  ['another host with this one in its fragment', 'https://evil.com#.company.com/docs/a', false, false],
  ['another host behind a name and a password', 'https://www.company.com:a@evil.com/docs/a', false, true],
  ['a way out of the folder', 'https://www.company.com/docs/../admin', false, false],
  ['the same in percent encoding', 'https://www.company.com/docs/%2e%2e/admin', false, false],
  ['no URL', 'www.company.com/docs/a', false, true],
])('a URL: %s', (_name, url, allow, deny) => {
  expect(matches(site, { url }, 'fetch')).toEqual({ allow, deny });
});

test('everybody of a thread is nobody where the thread is not known', () => {
  const args = { to: ['Ann@a.org'] };
  const rule = 'mail_send(to=@thread)';
  expect(matches(rule, args)).toEqual({ allow: false, deny: false });
  const participants = new Set(['ann@a.org']);
  expect(matchRule(rule, 'mail_send', args, { mode: 'every', addresses, participants })).toBe(true);
  const others = { to: ['ann@a.org', 'x@evil.com'] };
  expect(matchRule(rule, 'mail_send', others, { mode: 'every', addresses, participants })).toBe(false);
});

test.each([
  ['mail_send(to=a', 'the last ) is missing'],
  ['mail_send()', 'there is nothing between ( and )'],
  ['mail_send(to)', '"to" has no ='],
  ['mail_send(to:a@b.org)', '"to:a@b.org" has no ='],
  ['mail_send(=a)', '"" is no name of an argument'],
  ['mail_send(to=)', '"to" has no pattern'],
  ['mail_send(to=a, to=b)', '"to" stands there twice'],
  ['mail send(to=a)', '"mail send" is no name of a tool'],
])('%s is no rule: %s', (text, fault) => {
  expect(parseRule(text)).toEqual({ fault });
});

test('a text that is no rule allows nothing and denies every call of its tool', () => {
  expect(matches('mail_send(to', { to: ['a@company.com'] })).toEqual({ allow: false, deny: true });
});

/** A small generator of numbers, so that each run has the same cases. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('ten thousand hostile recipients: what a rule allows goes to the company alone', () => {
  const parts = [
    'a',
    'evil.com',
    'company.com',
    '@company.com',
    '@company.com>',
    '@',
    '<',
    '>',
    '"',
    ' ',
    ',',
    ';',
    '(',
    ')',
    '\\',
    '.',
    '\u200b',
    '\n',
    'K',
    ':',
  ];
  const source = numbers(7);
  const next = (below: number) => Math.floor((source.next().value as number) * below);
  let allowed = 0;
  for (let n = 0; n < 10_000; n++) {
    const text = Array.from({ length: 1 + next(9) }, () => parts[next(parts.length)]).join('');
    if (!matches(company, { to: [text] }).allow) continue;
    allowed++;
    expect(text.trim()).toMatch(/^[^@]*@company\.com>?$|^\s*"[^"]*" *<[^@<>]*@company\.com>\s*$/i);
    expect(bareAddress(text)).toMatch(/^[^@]+@company\.com$/);
  }
  expect(allowed).toBeGreaterThan(10);
});

test('ten thousand patterns of paths match what a regular expression of them matches', () => {
  const source = numbers(11);
  const next = (below: number) => Math.floor((source.next().value as number) * below);
  const pick = (from: readonly string[]) => from[next(from.length)] ?? '';
  for (let n = 0; n < 10_000; n++) {
    const pattern = Array.from({ length: 1 + next(5) }, () => pick(['a', 'b', '/', '*', '**', '**/', '/**/'])).join('');
    const text = Array.from({ length: next(7) }, () => pick(['a', 'b', '/', 'ab'])).join('');
    const source = (pattern.match(/(?<![^/])\*{2,}\/|\*{2,}|\*|[^*]/g) ?? [])
      .map((piece) =>
        piece === '*' ? '[^/]*' : piece.startsWith('**') ? (piece.endsWith('/') ? '(?:.*/)?' : '.*') : piece,
      )
      .join('');
    expect([pattern, text, matchesWildcard(pattern, text, '/')]).toEqual([
      pattern,
      text,
      new RegExp(`^${source}$`).test(text),
    ]);
  }
});

test('a pattern of many stars takes time in proportion to its text', () => {
  const match = (length: number) => {
    expect(matchesWildcard('**a*'.repeat(100), 'a'.repeat(length) + 'b', '/')).toBe(true);
    expect(matchesWildcard(`${'*a'.repeat(100)}c`, 'a'.repeat(length), '/')).toBe(false);
  };
  expect(growthOf(match, { small: 500, large: 5000 })).toBeLessThan(40);
});
