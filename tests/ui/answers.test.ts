import { afterEach, describe, expect, test, vi } from 'vitest';
import { documentDrafts, saveDocument, setDocumentDraft } from '../../ui/config/documents.ts';
import { createPagedList } from '../../ui/http/list.ts';
import { deleteMails, loadMails, mails, nextCursor } from '../../ui/mail/mails.ts';
import { setState } from '../../ui/mail/state/mail-state.ts';
import { makeMail } from '../browser/fake/fixtures.ts';

/** A request that the page has sent. */
interface Asked {
  readonly line: string;
  readonly answer: (status: number, body: unknown) => void;
}

/** Collects the requests of the page, to answer them in any order. */
function collect(): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('localStorage', { getItem: () => 'key' });
  vi.stubGlobal(
    'fetch',
    (url: string, { method }: { readonly method: string }) =>
      new Promise<Response>((done) =>
        asked.push({
          line: `${method} ${url}`,
          answer: (status, body) => done(new Response(JSON.stringify(body), { status })),
        }),
      ),
  );
  return asked;
}

afterEach(() => void vi.unstubAllGlobals());

describe('a list of pages', () => {
  test('drops the answer of an older query, and fetches no next page meanwhile', async () => {
    const asked = collect();
    let q = 'a';
    const list = createPagedList<string>('/api/runs', () => ({ q }));
    const older = list.load();
    q = 'ab';
    const newer = list.load();
    await list.load({ more: true });
    expect(asked.map(({ line }) => line)).toEqual(['GET /api/runs?q=a', 'GET /api/runs?q=ab']);
    asked[1]?.answer(200, { items: ['ab'], nextCursor: null });
    await newer;
    asked[0]?.answer(200, { items: ['a'], nextCursor: 'next' });
    await older;
    expect([list.items.value, list.nextCursor.value]).toEqual([['ab'], null]);
  });
});

describe('the first page of mails', () => {
  test('is that of the newest load, also where an older one is answered later', async () => {
    const asked = collect();
    mails.value = [];
    const [older, newer] = [loadMails(), loadMails()];
    asked[1]?.answer(200, { items: [makeMail('m-2'), makeMail('m-1')], nextCursor: null });
    await newer;
    asked[0]?.answer(200, { items: [makeMail('m-1')], nextCursor: null });
    await older;
    expect(mails.value.map(({ id }) => id)).toEqual(['m-2', 'm-1']);
  });
});

describe('the first page of mails after more new ones than a page has', () => {
  const at = (n: number) => makeMail(`m-${n}`, { receivedAt: new Date(Date.UTC(2026, 10, 1, 0, n)).toISOString() });
  const pageOf = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_one, i) => at(from - i));

  test('leaves no gap above the mails that were known: the next page follows it', async () => {
    const asked = collect();
    mails.value = [];
    const first = loadMails();
    asked[0]?.answer(200, { items: pageOf(50, 1), nextCursor: null });
    await first;
    // The computer slept, and 120 mails came.
    const later = loadMails();
    asked[1]?.answer(200, { items: pageOf(170, 121), nextCursor: 'below 121' });
    await later;
    expect(mails.value.map(({ id }) => id)).toEqual(pageOf(170, 121).map(({ id }) => id));
    expect(nextCursor.value).toBe('below 121');
  });

  test('keeps the mails below it where it reaches them', async () => {
    const asked = collect();
    mails.value = [];
    const first = loadMails();
    asked[0]?.answer(200, { items: pageOf(50, 1), nextCursor: null });
    await first;
    const later = loadMails();
    asked[1]?.answer(200, { items: pageOf(70, 21), nextCursor: 'below 21' });
    await later;
    expect(mails.value.map(({ id }) => id)).toEqual(pageOf(70, 1).map(({ id }) => id));
    expect(nextCursor.value).toBeNull();
  });
});

describe('an edit of a document', () => {
  const key = 'agent/helper';
  const start = async () => {
    const asked = collect();
    setDocumentDraft(key, { value: { name: 'A' }, fileHash: 'old' });
    const saved = saveDocument('agent', 'helper');
    await vi.waitUntil(() => asked.length === 1);
    setDocumentDraft(key, { value: { name: 'AB' }, fileHash: 'old' });
    return { asked, saved };
  };
  afterEach(() => setDocumentDraft(key, undefined));

  test('that goes on while it is saved stays, on the file as it is then', async () => {
    const { asked, saved } = await start();
    asked[0]?.answer(200, { id: 'helper', document: { fileHash: 'new', text: '', written: {} } });
    expect(await saved).toBe(true);
    expect(documentDrafts.value.get(key)).toEqual({ value: { name: 'AB' }, fileHash: 'new' });
  });

  test('that goes on while it is refused stays with the error', async () => {
    const { asked, saved } = await start();
    asked[0]?.answer(422, { error: { code: 'CONFIG_INVALID', message: 'no' } });
    expect(await saved).toBe(false);
    expect(documentDrafts.value.get(key)).toMatchObject({ value: { name: 'AB' }, error: { code: 'CONFIG_INVALID' } });
  });
});

describe('many marked mails', () => {
  const all = Array.from({ length: 250 }, (_one, i) => makeMail(`m-${i}`));
  const ids = all.map(({ id }) => id);
  const idsOf = (line = '') => line.split('?ids=')[1]?.split(',').length;

  test('change in parts that the server takes', async () => {
    const asked = collect();
    mails.value = all;
    const changed = setState(ids, { archived: true }, 'Archived.');
    for (const i of [0, 1]) {
      await vi.waitUntil(() => asked.length === i + 1);
      asked[i]?.answer(200, { changed: [] });
    }
    await vi.waitUntil(() => asked.length === 3);
    asked[2]?.answer(200, { items: all, nextCursor: null });
    await changed;
    expect(asked.slice(0, 2).map(({ line }) => idsOf(line))).toEqual([200, 50]);
  });

  test('are deleted in parts that the server takes, and those of the first are gone although the second fails', async () => {
    const asked = collect();
    mails.value = all;
    const deleted = expect(deleteMails(ids)).rejects.toMatchObject({ body: { code: 'BAD_REQUEST' } });
    await vi.waitUntil(() => asked.length === 1);
    asked[0]?.answer(200, { deleted: ids.slice(0, 200) });
    await vi.waitUntil(() => asked.length === 2);
    asked[1]?.answer(400, { error: { code: 'BAD_REQUEST', message: 'no' } });
    await deleted;
    expect(asked.map(({ line }) => idsOf(decodeURIComponent(line)))).toEqual([200, 50]);
    expect(mails.value).toEqual(all.slice(200));
  });

  test('are as before where the server refuses', async () => {
    const asked = collect();
    mails.value = all;
    const changed = setState(ids, { archived: true }, 'Archived.');
    expect(mails.value.every(({ state }) => state.archived)).toBe(true);
    await vi.waitUntil(() => asked.length === 1);
    asked[0]?.answer(400, { error: { code: 'BAD_REQUEST', message: 'no' } });
    await vi.waitUntil(() => asked.length === 2);
    expect(mails.value.some(({ state }) => state.archived)).toBe(false);
    asked[1]?.answer(200, { items: all, nextCursor: null });
    await changed;
  });
});
