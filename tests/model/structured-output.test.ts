import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Model, Models, OutputFormat } from '../../engine/src/model/model.ts';
import { sendJson, startServer } from './chat-server.ts';
import { anthropicApi, lookUp, ollamaApi, openaiApi, request, testModels } from './fixtures.ts';

const schema = {
  type: 'object',
  required: ['mood', 'words'],
  properties: {
    mood: { type: 'string', enum: ['calm', 'angry'], description: 'The mood.' },
    words: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 3 },
  },
};
const mood: OutputFormat = { name: 'mood', schema };
const strict = {
  type: 'object',
  required: ['mood', 'words'],
  additionalProperties: false,
  properties: {
    mood: { type: 'string', enum: ['calm', 'angry'], description: 'The mood.' },
    words: { type: 'array', items: { type: 'string' } },
  },
};
/** With a property that may be missing, and with properties of any name. */
const optional: OutputFormat = { name: 'mood', schema: { ...schema, required: ['mood'] } };
const anyName: OutputFormat = { name: 'mood', schema: { type: 'object', additionalProperties: { type: 'string' } } };

let server: Awaited<ReturnType<typeof startServer>>;
let models: Models;
let sent: Record<string, unknown> = {};
beforeAll(async () => {
  models = testModels();
  server = await startServer((seen, response) => {
    sent = JSON.parse(seen.body) as Record<string, unknown>;
    sendJson(response, { error: { message: 'response_format: json_schema is not supported by this model' } }, 400);
  });
});
afterAll(async () => {
  await models.close();
  await server.close();
});

/** The part of a request in which the provider gets the schema. */
async function formatOf(model: Model, output: OutputFormat, tools = [lookUp]): Promise<unknown> {
  await model.ask(request({ output, tools })).catch(() => {});
  return sent['response_format'] ?? sent['text'] ?? sent['output_config'] ?? sent['format'];
}

const openai = (more = {}) => models.open(openaiApi(`${server.origin}/v1`, { structuredOutput: true, ...more }));
const anthropic = (more = {}) => models.open(anthropicApi({ baseUrl: server.origin, ...more }));
const ollama = (path = '', more = {}) => models.open(ollamaApi(`${server.origin}${path}`, more));

describe('the schema of an answer goes to', () => {
  test('OpenAI’s chat completions, strict', async () => {
    expect(await formatOf(openai(), mood)).toEqual({
      type: 'json_schema',
      json_schema: { name: 'mood', schema: strict, strict: true },
    });
  });

  test('OpenAI’s Responses API, strict', async () => {
    expect(await formatOf(openai({ protocol: 'responses' }), mood)).toEqual({
      format: { type: 'json_schema', name: 'mood', schema: strict, strict: true },
    });
  });

  test('OpenAI as it is, and not strict, where the strict mode cannot express it', async () => {
    expect(await formatOf(openai(), anyName)).toMatchObject({
      json_schema: { schema: anyName.schema, strict: false },
    });
  });

  test('Anthropic, with properties that may be missing', async () => {
    const { required: _all, ...rest } = strict;
    expect(await formatOf(anthropic(), optional)).toEqual({
      format: { type: 'json_schema', schema: { ...rest, required: ['mood'] } },
    });
  });

  test('Ollama, in a request without tools', async () => {
    expect(await formatOf(ollama(), mood, [])).toEqual(strict);
    expect(await formatOf(ollama('/v1'), mood, [])).toMatchObject({ json_schema: { schema: strict } });
  });
});

describe('no schema goes to', () => {
  test('Ollama in a request with tools: the model could call none', async () => {
    expect(await formatOf(ollama(), mood)).toBeUndefined();
    expect(await formatOf(ollama('/v1'), mood)).toBeUndefined();
  });

  test.each([
    ['Anthropic', () => anthropic()],
    ['Ollama', () => ollama()],
  ])('%s, where its subset cannot express it', async (_name, open) => {
    expect(await formatOf(open(), anyName, [])).toBeUndefined();
  });

  test('a compatible server, unless its api says so', async () => {
    expect(await formatOf(openai({ structuredOutput: undefined }), mood)).toBeUndefined();
  });

  test.each([
    ['OpenAI', () => openai({ structuredOutput: false })],
    ['OpenAI’s Responses API', () => openai({ structuredOutput: false, protocol: 'responses' })],
    ['Anthropic', () => anthropic({ structuredOutput: false })],
    ['Ollama', () => ollama('', { structuredOutput: false })],
  ])('%s, where the api says so', async (_name, open) => {
    expect(await formatOf(open(), mood, [])).toBeUndefined();
  });
});

test('a server that refuses it is named with the key that leaves it out', async () => {
  await expect(openai().ask(request({ output: mood }))).rejects.toMatchObject({
    code: 'MODEL_BAD_REQUEST',
    hint: expect.stringContaining('structuredOutput: false'),
  });
});
