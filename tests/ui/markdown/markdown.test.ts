import { expect, test } from 'vitest';
import { type Block, blocksOf } from '../../../ui/markdown/blocks.ts';
import { type Inline, inlineOf } from '../../../ui/markdown/inline.ts';
import { growthOf } from '../../cpu-time.ts';

/** Inline parts as one line: `strong(b)`, `link<href>(text)`. */
function line(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text;
        case 'break':
          return '⏎';
        case 'code':
          return `code(${part.text})`;
        case 'link':
          return `link<${part.href}>(${line(part.parts)})`;
        case 'mention':
          return `mention<${part.participantId}>`;
        default:
          return `${part.kind}(${line(part.parts)})`;
      }
    })
    .join('');
}

test.each([
  ['bold and italic', 'a **b** *c* ***d*** __e__ _f_', 'a strong(b) em(c) strong(em(d)) strong(e) em(f)'],
  ['marks inside each other', '**a *b* c** ~~d~~', 'strong(a em(b) c) del(d)'],
  ['marks that close nothing', '2*3 * 4 **x', '2*3 * 4 **x'],
  ['an underscore in a name', 'snake_case_name', 'snake_case_name'],
  ['code, whose marks are text', '`a *b*` and ``c ` d``', 'code(a *b*) and code(c ` d)'],
  ['backticks without an end', 'a ` b', 'a ` b'],
  ['escapes', '\\*a\\* \\`b', '*a* `b'],
  ['a line break', 'a\nb', 'a⏎b'],
  ['a link', '[a **b**](https://x.example/a_(b))', 'link<https://x.example/a_(b)>(a strong(b))'],
  ['an address', 'see https://x.example/a, and', 'see link<https://x.example/a>(https://x.example/a), and'],
  ['an address after a bracket', '[1] https://x.example', '[1] link<https://x.example>(https://x.example)'],
  [
    'a link in a link',
    '[a [b](https://x.example) c](https://y.example)',
    '[a link<https://x.example>(b) c](link<https://y.example>(https://y.example))',
  ],
  ['an image, which is a link', '![cat](https://x.example/cat.png)', 'link<https://x.example/cat.png>(cat)'],
  ['HTML, which is text', '<b onclick="x">a</b>', '<b onclick="x">a</b>'],
])('%s', (_name, text, expected) => {
  expect(line(inlineOf(text))).toBe(expected);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '/api/chats', 'JaVaScRiPt:x'])(
  'a link to %s is text',
  (href) => {
    expect(line(inlineOf(`[a](${href})`))).toBe(`[a](${href})`);
  },
);

/** A block as one line. */
function shape(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `p(${block.text})`;
    case 'heading':
      return `h${block.level}(${block.text})`;
    case 'code':
      return `code(${block.text})`;
    case 'rule':
      return 'rule';
    case 'quote':
      return `quote(${block.blocks.map(shape).join(' ')})`;
    case 'list':
      return `${block.start ?? '-'}[${block.items.map((item) => item.map(shape).join(' ')).join(' | ')}]`;
    case 'table':
      return `table(${[block.head, ...block.rows].map((row) => row.join(',')).join(';')})`;
  }
}

test.each([
  ['paragraphs', 'a\nb\n\nc', 'p(a\nb) p(c)'],
  ['headings', '# a\n### b', 'h1(a) h3(b)'],
  ['no heading without a space', '#a', 'p(#a)'],
  ['a list with bullets', '- a\n- b', '-[p(a) | p(b)]'],
  ['a list with numbers, and its start', '3. a\n4. b', '3[p(a) | p(b)]'],
  ['a list in a list', '- a\n  - b\n  - c\n- d', '-[p(a) -[p(b) | p(c)] | p(d)]'],
  ['a list below a number, with two spaces', '1. a\n  - b', '1[p(a) -[p(b)]]'],
  ['items with blank lines between', '1. a\n\n2. b', '1[p(a) | p(b)]'],
  ['code', '```ts\na *b*\n\n# c\n```\nd', 'code(a *b*\n\n# c) p(d)'],
  ['code that does not end', '~~~\na', 'code(a)'],
  ['a quote', '> a\n> - b', 'quote(p(a) -[p(b)])'],
  ['a rule', 'a\n\n---\nb', 'p(a) rule p(b)'],
  ['a table', '| a | b |\n|---|:-:|\n| 1 | 2 \\| 3 | 4 |\n\nc', 'table(a,b;1,2 | 3) p(c)'],
  ['no table without its line', 'a | b\nc', 'p(a | b\nc)'],
])('%s', (_name, text, expected) => {
  expect(blocksOf(text).map(shape).join(' ')).toBe(expected);
});

test('thousands of levels of quotes and lists are no problem', () => {
  expect(blocksOf('>'.repeat(20_000)).length).toBe(1);
  expect(blocksOf(Array.from({ length: 300 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n')).length).toBe(1);
});

const CHARS = 64 * 1024;
const SIZES = { small: CHARS / 8, large: CHARS };
const fill = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));

test.each(
  [
    '[',
    '![',
    '` ',
    '*a ',
    '**a',
    '_a ',
    '~~a',
    '[a](',
    '[a [b](http://x) ',
    'http://a.b/',
    'a.',
    '\\',
    '*',
    'a_',
    '@',
    'h',
    '<',
    '(',
  ].map((text) => [text]),
)('64 KB of %j take about eight times as long as 8 KB, as a line', (text) => {
  expect(growthOf((size) => inlineOf(fill(text, size)), SIZES)).toBeLessThan(32);
});

test.each(
  ['|a', 'a|\n', 'a|b\n-|-\n', '- a\n', '1. a\n', '> - ', '- ', '```\n', ' ', '\n', '\t', '# '].map((text) => [text]),
)('64 KB of %j take about eight times as long as 8 KB, as blocks', (text) => {
  expect(growthOf((size) => blocksOf(fill(text, size)), SIZES)).toBeLessThan(32);
});
