import { describe, expect, test } from 'vitest';
import type { Api } from '../../../engine/src/config/config.ts';
import type { Message, ModelRequest } from '../../../engine/src/model/model.ts';
import { describeModel } from '../../contracts/model.ts';
import { request, scriptedApi, testModels } from '../fixtures.ts';

type Rules = Extract<Api, { provider: 'scripted' }>['script'];

describeModel('scripted', async () => {
  const models = testModels();
  const say = models.open(scriptedApi([{ when: { any: true }, say: 'Hello in {{language}}.' }]));
  const lookUp = { tool: 'look_up', arguments: { word: 'tea' } };
  return {
    say,
    call: models.open(scriptedApi([{ when: { any: true }, call: [lookUp, lookUp] }])),
    silent: { model: say, asked: async () => undefined },
    close: () => models.close(),
  };
});

const mail = `<mail>
From: Ann Lee <ann@example.com>
To: desk@example.com
Subject: Lieferung der Stühle

Guten Tag, wann kommt unsere Bestellung an? Wir warten seit zwei Wochen.
</mail>`;

const results = (...contents: string[]): Message[] => [
  { role: 'user', content: mail },
  {
    role: 'assistant',
    content: null,
    tool_calls: contents.map((_, index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name: `tool_${index}`, arguments: '{}' },
    })),
  },
  ...contents.map((content, index): Message => ({ role: 'tool', tool_call_id: `c${index}`, content })),
];

const say = async (script: Rules, more: Partial<ModelRequest> = {}) =>
  (await testModels().open(scriptedApi(script)).ask(request(more))).message.content;

describe('the first rule that holds answers', () => {
  const script: Rules = [
    { when: { role: 'agent', id: 'poet' }, say: 'poet' },
    { when: { role: 'agent' }, say: 'agent' },
    { when: { tool: 'tool_1' }, say: 'tool_1 is back' },
    { when: { turn: 2 }, say: 'second' },
    { when: { text: 'Bestellung|order' }, say: 'order' },
    { when: { any: true }, say: 'anything' },
  ];
  test.each<{ name: string; asked: Partial<ModelRequest>; said: string }>([
    { name: 'an agent by its id', asked: { role: 'agent', actorId: 'poet' }, said: 'poet' },
    { name: 'another agent by its role', asked: { role: 'agent', actorId: 'clerk' }, said: 'agent' },
    { name: 'the result of a tool', asked: { messages: results('a', 'b'), turn: 2 }, said: 'tool_1 is back' },
    { name: 'the turn', asked: { messages: results('a'), turn: 2 }, said: 'second' },
    {
      name: 'the text of the last user message',
      asked: { messages: [{ role: 'user', content: mail }] },
      said: 'order',
    },
    { name: 'what nothing else takes', asked: {}, said: 'anything' },
  ])('by $name', async ({ asked, said }) => {
    expect(await say(script, asked)).toBe(said);
  });

  test('a result that was already spoken about is no longer the last message', async () => {
    const messages: Message[] = [
      ...results('a'),
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'And?' },
    ];
    expect(
      await say(
        [
          { when: { tool: 'tool_0' }, say: 'again' },
          { when: { any: true }, say: 'next' },
        ],
        { messages },
      ),
    ).toBe('next');
  });

  test('where none holds, the answer says so and what to add', async () => {
    expect(await say([{ when: { turn: 9 }, say: 'late' }])).toBe(
      'No rule of the scripted api "offline" matches (director "desk", turn 1). Add a last rule with "when: { any: true }", which matches everything.',
    );
  });
});

describe('templates', () => {
  test.each([
    { name: 'subject', text: 'Re: {{subject}}', said: 'Re: Lieferung der Stühle' },
    { name: 'sender', text: 'To {{ from }}', said: 'To Ann Lee <ann@example.com>' },
    { name: 'language', text: '{{language}}', said: 'de' },
    { name: 'last user text', text: '{{lastUserText}}', said: mail },
    { name: 'last tool result', text: '{{lastToolResult}}', said: '{"output":"calm","score":{"joy":2}}' },
    { name: 'a path into it', text: '{{lastToolResult.output}}', said: 'calm' },
    { name: 'a deeper path', text: 'joy {{lastToolResult.score.joy}}', said: 'joy 2' },
    { name: 'a path that is not there', text: 'none{{lastToolResult.colour}}', said: 'none' },
    { name: 'an object', text: '{{lastToolResult.score}}', said: '{"joy":2}' },
  ])('fill in $name', async ({ text, said }) => {
    const messages = results('{"output":"calm","score":{"joy":2}}');
    expect(await say([{ when: { any: true }, say: text }], { messages })).toBe(said);
  });

  test('fill in the result of the tool that the rule waits for', async () => {
    expect(
      await say([{ when: { tool: 'tool_0' }, say: '{{lastToolResult}}' }], { messages: results('first', 'second') }),
    ).toBe('first');
  });

  test('take the first line of a message as its subject, and the person at the screen as its sender', async () => {
    const messages: Message[] = [{ role: 'user', content: `${'word '.repeat(30)}\nmore` }];
    const said = await say([{ when: { any: true }, say: '{{subject}} from {{from}}' }], { messages });
    expect(said).toBe(`${'word '.repeat(16).trimEnd()}… from you`);
  });

  test('do not look again at what was filled in', async () => {
    const messages: Message[] = [{ role: 'user', content: 'Subject: {{lastUserText}}\n\nHi' }];
    expect(await say([{ when: { any: true }, say: '{{subject}}' }], { messages })).toBe('{{lastUserText}}');
  });

  test('fill in the arguments of calls, at any depth, and keep numbers', async () => {
    const model = testModels().open(
      scriptedApi([
        {
          when: { any: true },
          call: {
            tool: 'workspace_update_item',
            arguments: { expectedRevision: '{{lastToolResult.revision}}', data: { lines: ['For {{subject}}', 3] } },
          },
        },
      ]),
    );
    const { message } = await model.ask(request({ messages: results('{"revision":4}'), turn: 2 }));
    expect(message.tool_calls).toEqual([
      {
        id: 'call00200',
        type: 'function',
        function: {
          name: 'workspace_update_item',
          arguments: '{"expectedRevision":4,"data":{"lines":["For Lieferung der Stühle",3]}}',
        },
      },
    ]);
  });
});

test('an answer of the scripted model is marked as one, and costs nothing', async () => {
  const answer = await testModels()
    .open(scriptedApi([{ when: { any: true }, say: 'Done.' }]))
    .ask(request());
  expect(answer).toMatchObject({ model: 'scripted', usage: { inputTokens: 0, outputTokens: 0 } });
  expect(JSON.parse(answer.raw)).toMatchObject({ model: 'scripted', rule: 0 });
});

test('the same request gives the same answer', async () => {
  const model = testModels().open(
    scriptedApi([{ when: { any: true }, call: { tool: 'look_up', arguments: { word: '{{language}}' } } }]),
  );
  const asked = request({ messages: [{ role: 'user', content: mail }] });
  expect(await model.ask(asked)).toEqual(await model.ask(asked));
});

test('a request for a summary is answered by no rule, and says that nobody wrote one', async () => {
  const model = testModels().open(scriptedApi([{ when: { any: true }, say: 'a rule' }]));
  const content = '<<EARLIER-1\nuser: When does it come?\nEARLIER-1>>';
  const { message } = await model.ask(request({ messages: [{ role: 'user', content }], purpose: 'summary' }));
  expect(message).toMatchObject({
    content: expect.stringMatching(/^Scripted summary, without AI.*When does it come\?/),
  });
});
