import { describe, expect, test } from 'vitest';
import { editorLink } from '../../ui/config/config.ts';
import { withoutEmphasis } from '../../ui/item/plain-text.ts';
import { path } from '../../ui/http/request.ts';
import { createResource } from '../../ui/http/resource.ts';
import { fileName, previewKind } from '../../ui/item/preview.ts';
import { fetchResultText, fetchProgress } from '../../ui/shell/fetcher.ts';
import { hrefOf, parseRoute } from '../../ui/shell/route.ts';
import { SCREENS } from '../../ui/shell/screens.ts';
import { bytes, short } from '../../ui/widget/number.ts';
import { age } from '../../ui/widget/time.ts';
import { makeItem } from '../browser/fake/fixtures.ts';

const ROUTES = SCREENS.map((screen) => screen.route);

test.each([
  ['an empty address', '', 'inbox', []],
  ['a screen', '#/config', 'config', []],
  ['a place in the Inbox', '#/inbox/a/b/c', 'inbox', ['a', 'b', 'c']],
  ['an address of Results, as the Inbox was called,', '#/results/a/b', 'inbox', ['a', 'b']],
  ['a place with a filter', '#/inbox/a?view=done&q=b/c', 'inbox', ['a']],
  ['an unknown screen', '#/nothing/a', 'inbox', ['a']],
  ['an escape that is none', '#/runs/100%', 'runs', ['100%']],
])('%s opens a screen', (_name, hash, screen, ids) => {
  expect(parseRoute(hash, ROUTES)).toEqual({ screen, ids });
});

test('an id with special characters can be in the address', () => {
  const ids = ['a b', 'x@y.z', 'ü%'];
  expect(parseRoute(hrefOf('inbox', ...ids), ROUTES).ids).toEqual(ids);
});

test('a path encodes its variable parts', () => {
  expect(path`/api/emails/${'a/b?c'}/attachments/${2}`).toBe('/api/emails/a%2Fb%3Fc/attachments/2');
});

test.each([
  ['/home/jane/desk', 'vscode://file/home/jane/desk/config/a%20b.yaml:3:7'],
  ['C:\\Users\\jane\\desk', 'vscode://file/C:/Users/jane/desk/config/a%20b.yaml:3:7'],
  ['desk', undefined],
  [undefined, undefined],
])('with the folder at %s the editor link is %s', (root, expected) => {
  expect(editorLink(root, 'config/a b.yaml', 3, 7)).toBe(expected);
});

test.each([
  ['text/markdown', 'utf8', 'frame'],
  ['text/html; charset=utf-8', 'utf8', 'frame'],
  ['application/json', 'utf8', 'json'],
  ['application/ld+json', 'utf8', 'json'],
  ['text/csv', 'utf8', 'csv'],
  ['image/png', 'base64', 'image'],
  ['image/svg+xml', 'base64', 'other'],
  ['image/svg+xml', 'utf8', 'other'],
  ['text/html', 'base64', 'other'],
  ['message/rfc822', 'utf8', 'mail'],
  ['message/rfc822', 'base64', 'mail'],
  ['application/pdf', 'base64', 'document'],
  ['application/pdf', 'utf8', 'other'],
  ['application/x-unknown', 'utf8', 'other'],
] as const)('%s in %s is shown as %s', (mimeType, encoding, shape) => {
  expect(previewKind(makeItem('x', { mimeType, encoding }))).toBe(shape);
});

test('the progress of all accounts is summed up, and short fetches have none', () => {
  const account = (accountId: string, done: number, total: number) =>
    ({ accountId, state: 'fetching', unreadable: [], taken: 0, progress: { done, total } }) as const;
  const status = { state: 'running', isFetching: true, everySeconds: 60 } as const;
  expect(fetchProgress({ ...status, accounts: [account('a', 900, 10_000), account('b', 40, 60)] })).toEqual({
    done: 940,
    total: 10_060,
  });
  expect(fetchProgress({ ...status, accounts: [account('a', 1, 20)] })).toBeUndefined();
});

test.each([
  ['of every account', undefined, 'Fetched new mail.'],
  [
    'that notified other processes',
    [
      { accountId: 'a', fetchedBy: 'one/7' },
      { accountId: 'b', fetchedBy: 'one/7' },
      { accountId: 'c', fetchedBy: 'two/8' },
    ],
    'Fetched new mail; also notified one/7, two/8.',
  ],
  ['that leaves out an account', [{ accountId: 'a' }], 'Fetched new mail. No process fetches a at the moment.'],
])('the message after a fetch %s', (_name, elsewhere, expected) => {
  expect(fetchResultText(elsewhere === undefined ? {} : { elsewhere })).toBe(expected);
});

test.each([
  [30_000, 'now'],
  [5 * 60_000, '5m'],
  [3 * 3_600_000, '3h'],
  [2 * 86_400_000, '2d'],
  [30 * 86_400_000, 'Oct 22'],
  [365 * 86_400_000, 'Nov 21, 2025'],
])('%i ms ago is %s', (ms, expected) => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(age(new Date(now - ms).toISOString(), now)).toBe(expected);
});

test('an unreadable time is shown as nothing', () => {
  expect(age('', 0)).toBe('');
});

test.each([
  [812, '812 B', '812'],
  [4200, '4.2 KB', '4.2k'],
  [1_300_000, '1.3 MB', '1.3M'],
])('%i reads as %s and %s', (count, size, number) => {
  expect([bytes(count), short(count)]).toEqual([size, number]);
});

describe('a resource', () => {
  test('ignores the answer to an older request', async () => {
    const answers = new Map<string, (value: string) => void>();
    const resource = createResource((key) => new Promise<string>((resolve) => answers.set(key, resolve)));
    resource.show('a');
    resource.show('b');
    answers.get('b')?.('B');
    answers.get('a')?.('A');
    await Promise.resolve();
    expect(resource.state.value).toEqual({ key: 'b', data: 'B' });
  });

  test('keeps its data when a refresh fails, and reports the error', async () => {
    let fails = false;
    const resource = createResource(async () => {
      if (fails) throw new Error('gone');
      return 'data';
    });
    resource.show('a');
    await expect.poll(() => resource.state.value.data).toBe('data');
    fails = true;
    resource.refresh();
    await expect.poll(() => resource.state.value.error?.message).toBe('gone');
    expect(resource.state.value.data).toBe('data');
  });
});

test.each([
  ['Lunch on Friday', 'message/rfc822', 'Lunch on Friday.eml'],
  ['plan.md', 'text/markdown; charset=utf-8', 'plan.md'],
  ['Plan.MD', 'text/markdown', 'Plan.MD'],
  ['a/b: c', 'text/calendar', 'a_b_ c.ics'],
  ['???', 'application/pdf', 'item.pdf'],
  ['Photo', 'image/png', 'Photo.png'],
])('a download of %s as %s is called %s', (label, mimeType, name) => {
  expect(fileName(makeItem('i', { label, mimeType }))).toBe(name);
});

test.each([
  ['**Calm.** Why: *no haste*, see `todo`.', 'Calm. Why: no haste, see todo.'],
  ['2 * 3 * 4 and a*b', '2 * 3 * 4 and a*b'],
  ['**open and `never closed', '**open and `never closed'],
])('%s is shown on one line without its signs', (text, expected) => {
  expect(withoutEmphasis(text)).toBe(expected);
});
