import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  for (let n = 0; n < 20; n++) desk.drop(`${n}.eml`, letter(`nothing ${n}`));
  await desk.fetch();
});
afterAll(() => desk.close());

const accept = (encoding: string) => ({ 'accept-encoding': encoding });

test.each(['br', 'gzip'])('a long answer is sent as %s, much shorter and with the same content', async (encoding) => {
  const plain = await desk.get('/api/emails', { headers: accept('identity') });
  expect(plain.json.items).toHaveLength(20);
  const packed = await fetch(`${desk.url}/api/emails`, {
    headers: { ...accept(encoding), authorization: `Bearer ${desk.services.sessions.token}` },
  });
  expect(packed.headers.get('content-encoding')).toBe(encoding);
  expect(packed.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(packed.headers.get('vary')).toContain('Accept-Encoding');
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 5);
  expect(await packed.text()).toBe(plain.text);
});

test('a short answer, and one for a client that takes no encoding, is sent as it is', async () => {
  const short = await desk.get('/api/runs', { headers: accept('br') });
  const long = await desk.get('/api/emails', { headers: accept('identity') });
  for (const { headers, json } of [short, long]) {
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBeDefined();
    expect(json.items).toBeDefined();
  }
});

test('secrets and the sign-in are never compressed, however long their answer is', async () => {
  for (let n = 0; n < 60; n++)
    await desk.ask('PUT', `/api/secrets/NAME_OF_A_SECRET_${n}`, { body: { value: 'x', plaintext: true } });
  const { headers, text } = await desk.get('/api/secrets', { headers: accept('br') });
  expect(text.length).toBeGreaterThan(1024);
  expect(headers['content-encoding']).toBeUndefined();
});

test('an error and the event stream are not compressed', async () => {
  const error = await desk.get('/api/emails/none', { headers: accept('br') });
  expect(error.status).toBe(404);
  expect(error.headers['content-encoding']).toBeUndefined();
  const stop = new AbortController();
  const stream = await fetch(`${desk.url}/api/stream`, {
    headers: { ...accept('br'), authorization: `Bearer ${desk.services.sessions.token}` },
    signal: stop.signal,
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  expect(stream.headers.get('content-encoding')).toBeNull();
  stop.abort();
});
