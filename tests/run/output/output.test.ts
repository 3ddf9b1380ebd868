import { afterEach, describe, expect, test } from 'vitest';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { openSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

const MOOD = `
output:
  schema:
    type: object
    required: [mood]
    additionalProperties: false
    properties:
      mood: { type: string, enum: [calm, angry] }
      reason: { type: string }
`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\n';
const HELPER = 'id: helper\nname: Helper\napiConfigId: main\n';
const OF_BOSS = { 'directors/boss.yaml': BOSS + MOOD };
const OF_HELPER = { 'agents/helper.yaml': HELPER + MOOD };

let stage: Stage;
let requests: ModelRequest[] = [];
afterEach(() => stage.close());

type Options = NonNullable<Parameters<typeof setStage>[0]>;

async function open(play: Play, options: Options): Promise<void> {
  requests = [];
  const models = playModels((request) => {
    requests.push(request);
    return play(request);
  });
  stage = await setStage({ models, ...options });
}

/** Answers one after the other; the last one stays. */
const answers = (...contents: readonly string[]): Play => {
  let next = 0;
  return () => ({ content: contents[Math.min(next++, contents.length - 1)] ?? '' });
};

async function items(workspaceId: string) {
  const found = await listItems(stage.app.deps.store, workspaceId);
  return found.map(({ label, mimeType, data = '', revision, context }) => ({
    ...{ label, mimeType, revision, by: context.agentId ?? context.createdBy },
    value: JSON.parse(data) as unknown,
  }));
}

const last = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content ?? '';

describe('a director whose answer has a schema', () => {
  test('tells the model, and keeps the answer as an item', async () => {
    await open(answers('{"mood":"calm"}'), { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', summary: '{"mood":"calm"}', usage: { turns: 1 } });
    expect(requests[0]?.output).toMatchObject({ name: 'boss', schema: { required: ['mood'] } });
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
    expect(requests[0]?.messages[1]?.content).toContain('"enum":["calm","angry"]');
    expect(await items(run.workspaceId)).toEqual([
      { label: 'Result of Boss', mimeType: 'application/json', revision: 1, by: 'director', value: { mood: 'calm' } },
    ]);
  });

  test('takes an answer in a code fence', async () => {
    await open(answers('```json\n{"mood":"calm"}\n```\n'), { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 1 } });
    expect(await items(run.workspaceId)).toMatchObject([{ value: { mood: 'calm' } }]);
  });

  test.each([
    ['words', 'They are calm.', 'it is not JSON'],
    ['words around it', 'Here: {"mood":"calm"}', 'it is not JSON'],
    ['nothing', '', 'it is empty'],
    [
      'a value that the schema does not have',
      '{"mood":"sad"}',
      'mood must be equal to one of the allowed values (calm,angry)',
    ],
    ['a property that is missing', '{}', "the answer must have required property 'mood'"],
    ['a list', '["calm"]', 'the answer must be object'],
  ])('has %s corrected', async (_name, wrong, fault) => {
    await open(answers(wrong, '{"mood":"angry"}'), { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 2 } });
    const entries = await stage.app.deps.store.list('entry', { where: [['scope', '=', run.id]] });
    const reasons = entries.map(({ body }) => (JSON.parse(body) as { detail: { reason?: string } }).detail.reason);
    expect(reasons.filter((reason) => reason?.startsWith(fault))).toHaveLength(1);
    expect(last(requests[1])).toContain(`does not match the JSON Schema of this task: ${fault}`);
    expect(await items(run.workspaceId)).toMatchObject([{ value: { mood: 'angry' } }]);
  });

  test('takes null for a property that may be missing', async () => {
    await open(answers('{"mood":"calm","reason":null}'), { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 1 } });
    expect(await items(run.workspaceId)).toMatchObject([{ value: { mood: 'calm' } }]);
  });

  test('fails once the model has corrected its answer twice', async () => {
    await open(answers('no', 'no', 'no', '{"mood":"calm"}'), { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' }, usage: { turns: 3 } });
    expect(await items(run.workspaceId)).toEqual([]);
  });

  test('counts corrections over calls of tools between them', async () => {
    const play: Play = ({ turn }) =>
      turn % 2 === 0 ? { tool_calls: [call(`c${turn}`, 'list_tools', {})] } : { content: 'no' };
    await open(play, { files: OF_BOSS });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' }, usage: { turns: 5 } });
  });

  test('has an answer that was cut written again', async () => {
    await open(answers('{"mood":"angry"}'), { files: OF_BOSS });
    const { models } = stage.app.deps;
    const { open: openModel } = models;
    let isFirst = true;
    Object.assign(models, {
      open: (...api: Parameters<typeof openModel>) => {
        const model = openModel(...api);
        return {
          ...model,
          ask: async (request: ModelRequest) => {
            const answer = await model.ask(request);
            const stop = isFirst ? ('length' as const) : answer.stop;
            isFirst = false;
            return { ...answer, stop };
          },
        };
      },
    });
    await stage.ended(await stage.begin());
    expect(last(requests[1])).toContain('cut off at the length limit. Answer again with the whole JSON value, shorter');
  });

  test('goes on with a correction after a restart', async () => {
    let asked = 0;
    const play: Play = ({ signal }) => {
      asked++;
      if (asked === 1) return { content: 'no' };
      if (asked > 2) return { content: '{"mood":"calm"}' };
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    await open(play, { files: OF_BOSS });
    const id = await stage.begin();
    await expect.poll(() => asked).toBe(2);
    await stage.restart();
    const run = await stage.ended(id);
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 2 } });
    expect(last(requests[2])).toBe(last(requests[1]));
    expect(await items(run.workspaceId)).toMatchObject([{ value: { mood: 'calm' } }]);
  });

  test('loses a sentence of the value that claims what was not done', async () => {
    const checks = 'checks: [{ kind: claims, claim: mail-sent }]\n';
    const content = '{"mood":"calm","reason":"They wrote twice. I have sent the mail to them."}';
    await open(answers(content), { files: { 'directors/boss.yaml': BOSS + checks + MOOD } });
    const run = await stage.ended(await stage.begin());
    const [item] = await items(run.workspaceId);
    expect(item?.value).toEqual({ mood: 'calm', reason: expect.stringMatching(/^They wrote twice\.\s/) });
    expect(JSON.stringify(item?.value)).not.toContain('I have sent');
  });
});

describe('an agent whose answer has a schema', () => {
  test('gives its director the value, and keeps it as one item over several asks', async () => {
    const moods = ['calm', 'angry'];
    const play: Play = ({ role, turn }) => {
      if (role === 'agent') return { content: JSON.stringify({ mood: moods.shift() }) };
      return turn < 3
        ? { tool_calls: [call(`c${turn}`, 'agent__helper', { input: 'And now?' })] }
        : { content: 'done' };
    };
    await open(play, { files: OF_HELPER });
    const run = await stage.ended(await stage.begin());
    const results = requests.filter(({ role }) => role === 'director').map((request) => last(request));
    expect(results.slice(1).map((text) => (JSON.parse(text) as { output: unknown }).output)).toEqual([
      { mood: 'calm' },
      { mood: 'angry' },
    ]);
    expect(await items(run.workspaceId)).toEqual([
      { label: 'Result of Helper', mimeType: 'application/json', revision: 2, by: 'helper', value: { mood: 'angry' } },
    ]);
  });

  test('whose answer stays wrong fails the call, with the fault', async () => {
    const play: Play = ({ role, turn }) => {
      if (role === 'agent') return { content: 'calm' };
      return turn === 1 ? { tool_calls: [call('c', 'agent__helper', { input: 'Mood?' })] } : { content: 'done' };
    };
    await open(play, { files: OF_HELPER });
    await stage.ended(await stage.begin());
    const result = JSON.parse(last(requests.at(-1))) as unknown;
    expect(result).toMatchObject({ done: false, output: 'calm', error: { code: 'OUTPUT_INVALID' } });
  });

  test('keeps the answer to a person as an item', async () => {
    await open(answers('calm', '{"mood":"calm"}'), { files: OF_HELPER });
    const session = await openSession(stage.app.deps, 'helper', 'jane');
    const { id } = await acceptMessage(stage.app.deps, session.id, { content: 'Mood?', by: 'jane' });
    stage.app.engine.queued();
    const run = await stage.ended(id);
    expect(run).toMatchObject({ status: 'completed', usage: { turns: 2 } });
    expect(await items(run.workspaceId)).toMatchObject([{ by: 'helper', value: { mood: 'calm' } }]);
  });
});

describe('with privacy', () => {
  /** Finds one person, whose name has a quotation mark. */
  const NAME = 'Zoe "Z" Rao';
  const recogniser: Recogniser = {
    async recognise(text, { kinds }) {
      const start = text.indexOf(NAME);
      if (start < 0 || kinds?.includes('person') === false) return [];
      return [{ start, end: start + NAME.length, kind: 'person', text: NAME }];
    },
    close: async () => {},
  };
  const files = {
    'directors/boss.yaml': `${BOSS}privacy: {}
output:
  schema:
    type: object
    required: [who, owner]
    properties: { who: { type: string }, owner: { type: string, enum: ['${NAME}', nobody] } }
`,
  };

  test('the value gets real values, and the schema shows none', async () => {
    await open(answers('{ "who": "<PERSON_1>", "owner": "<PERSON_1>" }'), { files, recogniser });
    const run = await stage.ended(await stage.begin('boss', `Write to ${NAME}`));
    expect(JSON.stringify(requests)).not.toContain('Rao');
    expect(requests[0]?.output?.schema).toMatchObject({ properties: { owner: { enum: ['<PERSON_1>', 'nobody'] } } });
    expect(run.status).toBe('completed');
    expect(await items(run.workspaceId)).toMatchObject([{ value: { who: NAME, owner: NAME } }]);
  });
});
