import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Message, ToolSpec } from '../../../engine/src/model/model.ts';
import { isValidToolName } from '../../../engine/src/model/protocol/chat-format.ts';
import { corpora } from '../../available.ts';
import { completion } from '../chat-server.ts';
import { openaiApi, request, testModels } from '../fixtures.ts';

interface Row {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly names_openai_would_reject?: readonly string[];
  /** Each call with the values that are accepted for each argument, or words for "any" and "none". */
  readonly expected: readonly Record<string, Record<string, readonly unknown[]>>[] | string;
}

const lines = (file: string): string[] =>
  corpora === undefined
    ? []
    : readFileSync(join(corpora, 'tool-calling', file), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
const rows = lines('bfcl.jsonl').map((line) => JSON.parse(line) as Row);
const texts = lines('arguments.jsonl').map((line) => JSON.parse(line) as { id: string; arguments: string });

/** The accepted calls of a row, each argument with the first accepted value. */
function callsOf({ expected }: Row): { name: string; args: string }[] {
  if (typeof expected === 'string') return [];
  return expected.flatMap((call) =>
    Object.entries(call).map(([name, args]) => ({
      name,
      args: JSON.stringify(Object.fromEntries(Object.entries(args).map(([key, values]) => [key, values[0]]))),
    })),
  );
}

describe.skipIf(corpora === undefined)('recorded tool calling (left out without the corpora)', () => {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  /** Asks OpenAI, whose answer is `message`. */
  async function ask(message: object, messages: readonly Message[], tools: readonly ToolSpec[]) {
    let sent: Record<string, unknown> = {};
    nock('https://api.openai.com')
      .post('/v1/chat/completions', (body) => {
        sent = body as Record<string, unknown>;
        return true;
      })
      .reply(200, completion(message, 'tool_calls'));
    const models = testModels();
    const api = openaiApi('https://api.openai.com/v1', { stream: false });
    const answer = await models.open(api).ask(request({ messages, tools }));
    await models.close();
    return { answer, sent };
  }

  test('there are rows', () => {
    expect({ rows: rows.length, texts: texts.length }).toEqual({ rows: expect.any(Number), texts: expect.any(Number) });
    expect(Math.min(rows.length, texts.length)).toBeGreaterThan(10);
  });

  test.each(rows)('$id: tools are sent as given and the accepted calls come back intact', async (row) => {
    const calls = callsOf(row).map(({ name, args }, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: args },
    }));
    const { answer, sent } = await ask({ content: null, tool_calls: calls }, row.messages, row.tools);
    expect(sent).toEqual({ model: 'test-model', messages: row.messages, tools: row.tools });
    expect(answer.message.tool_calls ?? []).toEqual(calls);
  });

  test.each(rows)('$id: the names that OpenAI would reject are found', (row) => {
    const rejected = row.tools.map((tool) => tool.function.name).filter((name) => !isValidToolName(name));
    expect(rejected.sort()).toEqual([...(row.names_openai_would_reject ?? [])].sort());
  });

  test.each(texts)('$id: arguments come back letter by letter, valid or not', async ({ arguments: text }) => {
    const call = { id: 'a', type: 'function', function: { name: 'look_up', arguments: text } };
    const { answer } = await ask({ content: null, tool_calls: [call] }, [{ role: 'user', content: 'Hello' }], []);
    expect(answer.message.tool_calls).toEqual([call]);
  });
});
