import { expect, test } from 'vitest';
import { findGaps } from '../../../engine/src/mail/send/gaps.ts';
import { growthOf } from '../../cpu-time.ts';

test.each([
  ['I will call you at [time].', ['[time]']],
  ['Am [Tag, Uhrzeit] passt es mir.', ['[Tag, Uhrzeit]']],
  ['Dear [Your Name],', ['[Your Name]']],
  ['between [date] and [date]', ['[date]']],
  ['The price is [amount in €].', ['[amount in €]']],
  ['See you [which of the two days?]', ['[which of the two days?]']],
  ['le [jour/heure] prochain', ['[jour/heure]']],
  ['by [insert date here (UTC)]', ['[insert date here (UTC)]']],
  ['to be sent [TBD]', ['[TBD]']],
  ['Dear [NAME], on [DATE]', ['[NAME]', '[DATE]']],
  ['it costs [XXX] or [___] or [???]', ['[XXX]', '[___]', '[???]']],
  ['Hello {{firstName}},', ['{{firstName}}']],
  ['明日の[時間]に', ['[時間]']],
])('%s has gaps', (text, gaps) => {
  expect(findGaps(text)).toEqual(gaps);
});

test.each([
  ['a number', 'as in [1] and [12], and [1, 2]'],
  ['a Markdown link', 'see [the offer](https://example.org/offer) and ![a picture](cid:1)'],
  [
    'a link by reference',
    'see [the offer][offer] and [prices]\n\n[offer]: https://example.org\n[prices]: <https://x.example>',
  ],
  ['a mark of a mail gateway', '[EXTERNAL] [EXT] [SPAM] [CAUTION: EXTERNAL EMAIL] Hello'],
  ['a task list', '- [ ] open\n- [x] done\n- [X] done'],
  ['a footnote', 'as said[^1] and [^note]'],
  ['an omission or an error of the source', 'he "cant [sic] come [...] today […]"'],
  ['a word put into a quotation', 'she said "[he] will come to [the] meeting"'],
  ['an ending in brackets', 'the agent[s] of your client[s]'],
  ['code', 'use `list[index]` or\n```\nvalue[key] = [time]\n```\nor items[last]'],
  ['JSON and lists of numbers', 'the result is ["a", "b"] and [3.5, 4]'],
  ['a ticket', 'about [JIRA-123] and [#4711] and [Ticket 4711]'],
  ['a quoted mail', 'Yes.\n\nOn Monday Ada wrote:\n> I come at [time]\n> > and [date]'],
  ['an address', 'write to [ada@example.org] or [https://example.org]'],
  ['a picture of a mail program', '[cid:image001.png@01D9] [image: logo.png] [Bild]'],
  ['a time', 'the log says [2026-11-22 10:00:00] started'],
  ['nothing', 'Hello, []. {} {{}} [[]]'],
])('%s is no gap', (_name, text) => {
  expect(findGaps(text)).toEqual([]);
});

test.each(['[', '[a', '[a]', '{{', '`', '[a](', '\n[a]:', '> '])(
  'ten times as much of %j takes about ten times as long, not a hundred',
  (text) => {
    expect(growthOf((size) => findGaps(text.repeat(size)), { small: 20_000, large: 200_000 })).toBeLessThan(40);
  },
);
