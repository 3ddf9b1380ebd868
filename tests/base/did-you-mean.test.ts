import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../engine/src/base/did-you-mean.ts';

test.each([
  ['a missing letter', 'serch', 'search'],
  ['two swapped letters', 'feild', 'field'],
  ['two swapped letters of a short word', 'mian', 'main'],
  ['a slip in a name of several words', 'workspace_ad_item', 'workspace_add_item'],
  ['another case', 'SUBJECT', 'Subject'],
  ['two mistakes in a long word', 'apiConfId', 'apiConfigId'],
  ['a word with another ending', 'everySecond', 'everySeconds'],
  ['a short word', 'idd', 'id'],
])('%s is near: %s', (_name, word, meant) => {
  expect(nearest(word, ['quite-another-word', meant])).toBe(meant);
});

test.each([
  ['half of a short word', 'boss', 'base'],
  ['two of four letters', 'read', 'reply'],
  ['two of five letters', 'token', 'tools'],
  ['a third of a word', 'writer', 'reader'],
  ['other short words', 'to', 'cc'],
  ['a common ending', 'mail_send', 'mail_read'],
  ['four letters of a long word', 'calendar_list', 'calendar_free'],
])('%s is not near: %s and %s', (_name, word, other) => {
  expect(nearest(word, [other])).toBeUndefined();
  expect(didYouMean(word, [other])).toBe('');
});

test('the nearest of several is named, and never the word itself', () => {
  expect(didYouMean('serch', ['serch', 'search', 'starch'])).toBe('; did you mean "search"?');
});
