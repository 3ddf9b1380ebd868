import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createRecogniser } from '../../engine/src/guard/privacy/recogniser.ts';
import type { ModelRequest } from '../../engine/src/model/model.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

/** What the user, a sender or a service that is down could do to get private data to a provider. */
const recogniser = createRecogniser();
afterAll(() => recogniser.close());

let stage: Stage | undefined;
let server: Server | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

const director = (privacy: string) =>
  `id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\nprivacy: ${privacy}\n`;

/** Runs one message, and returns everything that models were sent. */
async function sentFor(message: string, files: Record<string, string>) {
  const requests: ModelRequest[] = [];
  stage = await setStage({
    files,
    // The app closes its recogniser; a thread for all tests saves its start.
    recogniser: { ...recogniser, close: async () => {} },
    models: playModels((request) => {
      requests.push(request);
      return { content: 'done' };
    }),
  });
  const id = await stage.begin('boss', message);
  await stage.ended(id);
  return { sent: JSON.stringify(requests), requests, run: await stage.run(id) };
}

async function serve(answer: (text: string) => unknown): Promise<string> {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { text } = JSON.parse(body) as { text: string };
    response.end(JSON.stringify(answer(text)));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/analyze`;
}

const findWord = (word: string) => (text: string) => {
  const start = text.indexOf(word);
  return start < 0 ? [] : [{ entity_type: 'PERSON', start, end: start + word.length, score: 1 }];
};

describe('what a person types reaches no model', () => {
  test.each([
    { text: 'email to karthik', secret: /karthik/i },
    { text: 'EMAIL TO KARTHIK', secret: /karthik/i },
    { text: 'karthik my cfo', secret: /karthik/i },
    { text: 'karthik who is my cfo', secret: /karthik/i },
    { text: '1234567890', secret: /1234567890/ },
    { text: 'pay DE89\u00a03704-0044 0532 0130 00', secret: /0532|3704/ },
    { text: 'card 4111-1111 1111\u00a01111', secret: /1111/ },
    { text: 'write to "anna weber"@example.com or anna%40example.com', secret: /anna/ },
    { text: 'Hi Siobhán,\nplease call 0171/2345678.\nViele Grüße\nUwe Ötztürk', secret: /Siobh|2345678|Uwe|tzt/ },
  ])('$text', async ({ text, secret }) => {
    const { sent, run } = await sentFor(text, { 'directors/boss.yaml': director('{}') });
    expect(run.status).toBe('completed');
    expect(sent).toMatch(/<(PERSON|PHONE|IBAN|CARD|EMAIL)_1>/);
    expect(sent).not.toMatch(secret);
  });
});

describe('a recogniser service', () => {
  test('adds what the rules do not know, as the director names it', async () => {
    const url = await serve(findWord('the blue one'));
    const files = { 'directors/boss.yaml': director(`{ recognizer: { url: "${url}" } }`) };
    const { sent } = await sentFor('what did the blue one say?', files);
    expect(sent).not.toContain('the blue one');
    expect(sent).toContain('<PERSON_1>');
  });

  test('holds for all directors where the settings name it', async () => {
    const url = await serve(findWord('the blue one'));
    const files = {
      'directors/boss.yaml': director('{}'),
      'settings.yaml': `privacy: { recognizer: { url: "${url}" } }\n`,
    };
    const { sent } = await sentFor('what did the blue one say?', files);
    expect(sent).not.toContain('the blue one');
  });

  test('of a director goes before the one of the settings', async () => {
    const url = await serve(findWord('the blue one'));
    const files = {
      'directors/boss.yaml': director(`{ recognizer: { url: "${url}" } }`),
      'settings.yaml': 'privacy: { recognizer: { url: "http://127.0.0.1:9/analyze" } }\n',
    };
    const { sent, run } = await sentFor('what did the blue one say?', files);
    expect(run.status).toBe('completed');
    expect(sent).not.toContain('the blue one');
  });

  test.each([
    { name: 'that is down', answer: undefined },
    { name: 'that answers nonsense', answer: { ok: true } },
  ])('$name lets nothing out: the run fails with PRIVACY_UNAVAILABLE', async ({ answer }) => {
    const url = await serve(() => answer);
    if (answer === undefined) server?.close();
    const files = {
      'directors/boss.yaml': director(`{ recognizer: { url: "${url}" } }`),
      'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nretry: { attempts: 1 }\n',
    };
    const { requests, run } = await sentFor('hello', files);
    expect(requests).toEqual([]);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'PRIVACY_UNAVAILABLE' } });
  });

  test.each([
    'http://192.0.2.1/analyze',
    'http://127.0.0.1.example.com/',
    'http://localhost@192.0.2.1/',
    'ftp://127.0.0.1/',
    'http://127.0.0.1:5002@192.0.2.1/',
  ])('at %s is refused in the config', async (url) => {
    stage = await setStage({
      files: { 'directors/boss.yaml': director(`{ recognizer: { url: "${url}" } }`) },
      models: playModels(() => ({ content: '' })),
    });
    const found = stage.app.config.problems().map(({ file, message }) => `${file}: ${message}`);
    expect(found.join()).toMatch(/directors\/boss\.yaml: .*an http or https address of this machine/);
  });
});
