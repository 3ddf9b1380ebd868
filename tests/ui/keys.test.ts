import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

const ui = join(root, 'ui');
const texts = readdirSync(ui, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(ui, name), 'utf8') }));

test('a button that has a key shows it on its tooltip', () => {
  const found = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/aria-keyshortcuts=(?:"([^"]+)"|\$\{isCurrent \? '([^']+)' : undefined\})/g)].map(
      ({ 1: plain, 2: ofCard, index }) => ({ name, key: plain ?? ofCard ?? '', tag: text.slice(index, index + 300) }),
    ),
  );
  expect(found.length).toBeGreaterThan(30);
  const without = found.filter(
    ({ key, tag }) => !/title=(?:"[^"]*"|\$\{`[^\n]*`\})/.exec(tag)?.[0].includes(`(${key})`),
  );
  expect(without.map(({ name, key }) => `${name}: ${key}`)).toEqual([]);
});

/** Buttons without a key of their own, and why. The text is a part of the source of the button. */
const WITHOUT_KEY: readonly (readonly [file: string, part: string, reason: string])[] = [
  ['chat/bubble.ts', 'class="mention who-color"', 'a word in the text of a message, as a link; Tab reaches it'],
  ['chat/chat-head.ts', 'openParticipant', 'a name in the list of participants, as a link; Tab reaches it'],
  ['config/form/scope-folders.ts', 'onClick=${onOpen}', 'an entry of a list of folders; Tab and Enter open it'],
  ['config/form/order-list.ts', 'class="bare grip"', 'Alt+↑ and Alt+↓ move the entry; its tooltip says so'],
  ['widget/choice.ts', 'aria-pressed', 'the key of the group presses the next button; the tooltip of each names it'],
];

/** The source of each button: its tag and its content. */
function buttonsIn(text: string): readonly { readonly tag: string; readonly content: string }[] {
  return [...text.matchAll(/<button\b/g)].map(({ index }) => {
    let depth = 0;
    let end = index;
    // A `>` within an expression is no end of the tag.
    for (; end < text.length && (depth > 0 || text[end] !== '>'); end++)
      depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    return { tag: text.slice(index, end), content: text.slice(end + 1, text.indexOf('</button>', end)) };
  });
}

test('every button of every page and dialog has a key, or a reason why it needs none', () => {
  const buttons = texts.flatMap(({ name, text }) => buttonsIn(text).map((button) => ({ name, ...button })));
  expect(buttons.length).toBeGreaterThan(200);
  // `title="Allow (y)"`: a word, a blank, and the key in brackets.
  const hasKey = (tag: string) =>
    /\.\.\.\$\{(?:nearK|k)eyed\(|aria-keyshortcuts=/.test(tag) ||
    /title=[^\n]*[\w}] \([^() ]{1,12}(?:,? [^() ]{1,12}| \+ 1\})?\)/.test(tag);
  const without = buttons.filter(
    ({ name, tag }) => !hasKey(tag) && !WITHOUT_KEY.some(([file, part]) => file === name && tag.includes(part)),
  );
  expect(without.map(({ name, tag, content }) => `${name}: ${tag} … ${content.trim()}`)).toEqual([]);
  const stale = WITHOUT_KEY.filter(
    ([file, part]) => !buttons.some(({ name, tag }) => file === name && tag.includes(part)),
  );
  expect(stale).toEqual([]);
});

test('buttons that send a key away, drop a text or cost money have a key only while the focus is beside them', () => {
  const weighty = [
    ['config/allow-host.ts', "'H'"],
    ['chat/form/new-chat.ts', "'Q'"],
    ['config/document-form.ts', "'Q'"],
    ['config/document-form.ts', "'W'"],
    ['config/new-document.ts', "'Q'"],
    ['item/editor.ts', "'P'"],
    ['mail/filter-trace.ts', "'R'"],
    ['chat/composer.ts', 'digitOf(i)'],
  ] as const;
  const textOf = (file: string) => texts.find(({ name }) => name === file)?.text;
  const without = weighty.filter(([file, key]) => textOf(file)?.includes(`...\${nearKeyed(${key},`) !== true);
  expect(without).toEqual([]);
});
