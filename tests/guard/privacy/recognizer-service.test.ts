import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createRecogniser } from '../../../engine/src/guard/privacy/recogniser.ts';

const recogniser = createRecogniser({ timeoutMs: 30_000 });
const hasty = createRecogniser({ timeoutMs: 200 });
afterAll(() => Promise.all([recogniser.close(), hasty.close()]));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly text: string;
  readonly language: string;
}

/** A service that answers as `answer` says; `asked` has what it got. */
async function serve(answer: (asked: Asked) => unknown, status = 200): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const url = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const question = JSON.parse(body) as Asked;
    asked.push(question);
    const reply = answer(question);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });
  return { url, asked };
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/analyze`;
}

const options = { known: [], isUserWords: false };
const recognise = (text: string, url: string, languages = ['en']) =>
  recogniser.recognise(text, { ...options, recognizers: [{ url, languages }] });

/** What Presidio answers for the places of a word; offsets count code points. */
const entities = (text: string, word: string, type: string) => {
  const before = text.split(word).slice(0, -1);
  return before.map((_, i) => {
    const start = [...before.slice(0, i + 1).join(word)].length;
    return { entity_type: type, start, end: start + [...word].length, score: 0.85, analysis_explanation: null };
  });
};

test('the spans of the service are joined to the ones found here', async () => {
  const { url, asked } = await serve(({ text }) => [
    ...entities(text, 'blue whale', 'PERSON'),
    ...entities(text, 'Oslo', 'LOCATION'),
  ]);
  const text = 'The blue whale of Oslo wrote to a@example.com, said Anna Weber.';
  const spans = await recognise(text, url);
  expect(spans.map(({ kind, text }) => [kind, text])).toEqual([
    ['person', 'blue whale'],
    ['email', 'a@example.com'],
    ['person', 'Anna Weber'],
  ]);
  expect(asked).toEqual([{ text, language: 'en' }]);
});

test('each language is asked for once', async () => {
  const { url, asked } = await serve(({ language }) =>
    language === 'de' ? [{ entity_type: 'PERSON', start: 0, end: 4, score: 1 }] : [],
  );
  const spans = await recognise('ylva kommt', url, ['en', 'de']);
  expect(asked.map(({ language }) => language)).toEqual(['en', 'de']);
  expect(spans.map(({ text }) => text)).toEqual(['ylva']);
});

test('offsets count code points, as in Python', async () => {
  const { url } = await serve(({ text }) => entities(text, 'ylva', 'PERSON'));
  const spans = await recognise('🎉🎉 ylva 🎉 ylva', url);
  expect(spans.map(({ start, text }) => [start, text])).toEqual([
    [5, 'ylva'],
    [13, 'ylva'],
  ]);
});

test('a long text is sent in pieces, and every span keeps its place', async () => {
  const { url, asked } = await serve(({ text }) => entities(text, 'ylva', 'PERSON'));
  const text = `${'some plain words here\n'.repeat(12_000)}so ylva came`;
  const spans = await recognise(text, url);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.map((one) => one.text).join('')).toBe(text);
  expect(spans.map(({ start, text }) => [start, text])).toEqual([[text.indexOf('ylva'), 'ylva']]);
});

test('kinds that are not asked for are left out', async () => {
  const { url } = await serve(({ text }) => entities(text, 'ylva', 'PERSON'));
  const spans = await recogniser.recognise('ylva', {
    ...options,
    kinds: ['phone'],
    recognizers: [{ url, languages: ['en'] }],
  });
  expect(spans).toEqual([]);
});

describe('a service that does not answer makes `PRIVACY_UNAVAILABLE`', () => {
  const unavailable = { code: 'PRIVACY_UNAVAILABLE', retryable: true };

  test.each([
    { name: 'is not JSON', answer: 'oops' },
    { name: 'is no list', answer: { results: [] } },
    { name: 'has an entry without offsets', answer: [{ entity_type: 'PERSON' }] },
    { name: 'has an offset outside the text', answer: [{ entity_type: 'PERSON', start: 0, end: 99, score: 1 }] },
    { name: 'has an end before its start', answer: [{ entity_type: 'PERSON', start: 3, end: 1, score: 1 }] },
  ])('where the answer $name', async ({ answer }) => {
    const { url } = await serve(() => answer);
    await expect(recognise('ylva', url)).rejects.toMatchObject(unavailable);
  });

  test('where it answers with an error', async () => {
    const { url } = await serve(() => ({ error: 'No matching recognizers' }), 500);
    await expect(recognise('ylva', url)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('answered 500'),
    });
  });

  test('where nothing listens', async () => {
    const { url } = await serve(() => []);
    servers.splice(0).forEach((server) => server.close());
    await expect(recognise('ylva', url)).rejects.toMatchObject(unavailable);
  });

  test('where it takes too long', async () => {
    const url = await listen(() => {});
    const asked = hasty.recognise('ylva', { ...options, recognizers: [{ url, languages: ['en'] }] });
    await expect(asked).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('0.2 s') });
  });

  test('where the answer is larger than the limit', async () => {
    const { url } = await serve(() => `[${' '.repeat(17 * 1024 * 1024)}]`);
    await expect(recognise('ylva', url)).rejects.toMatchObject(unavailable);
  });

  test('where it sends the request elsewhere', async () => {
    const { url: other, asked } = await serve(() => []);
    const url = await listen((_, response) => response.writeHead(307, { location: other }).end());
    await expect(recognise('ylva', url)).rejects.toMatchObject(unavailable);
    expect(asked).toEqual([]);
  });

  test('where the address is not on this machine, without a request', async () => {
    await expect(recognise('ylva', 'http://192.0.2.1/analyze')).rejects.toMatchObject(unavailable);
  });

  test('and the error holds nothing of the text', async () => {
    const { url } = await serve(() => 'ylva');
    const error = await recognise('secret ylva', url).catch((reason: unknown) => reason);
    expect(JSON.stringify(error) + String(error)).not.toContain('ylva');
  });
});

test('an abort rejects with its reason', async () => {
  const url = await listen(() => {});
  const controller = new AbortController();
  const asked = recogniser.recognise('ylva', {
    ...options,
    recognizers: [{ url, languages: ['en'] }],
    signal: controller.signal,
  });
  controller.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});
