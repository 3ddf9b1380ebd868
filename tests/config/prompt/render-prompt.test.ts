import { describe, expect, test, vi } from 'vitest';
import type { Prompt } from '../../../engine/src/config/config.ts';
import { type PromptInput, renderPrompt } from '../../../engine/src/config/prompt/render-prompt.ts';

const mood: Prompt = {
  id: 'mood',
  description: '',
  enabled: true,
  variables: { language: 'English', tone: 'calm' },
  messages: [{ role: 'system', content: 'Be {{tone}} in {{ language }}.' }],
};

const base: PromptInput = {
  prompt: undefined,
  prompts: new Map([
    ['mood', mood],
    ['read', { ...mood, id: 'read', messages: [{ role: 'user', content: '{{email}}' }] }],
  ]),
  actor: { name: 'Boss', description: 'Leads.' },
  variables: {
    'email': () => 'THE MAIL',
    'email.text': () => 'THE TEXT',
    'email.subject': () => '{{date}}',
    'date': () => '2026-11-21',
  },
};

const system = (content: string) => ({ role: 'system', content }) as const;
const user = (content: string) => ({ role: 'user', content }) as const;
const assistant = (content: string) => ({ role: 'assistant', content }) as const;
const called = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});
const mail = (text: string) => ({ placedBy: ['email', 'email.text'] as const, text: () => text });
const ask = (text: string) => ({ placedBy: ['message'] as const, text: () => text });

describe('a prompt', () => {
  test.each([
    {
      name: 'its variables are filled in',
      input: { prompt: [system('It is {{date}}.'), user('{{email}}')] },
      messages: [system('It is 2026-11-21.'), user('THE MAIL')],
    },
    {
      name: 'what is filled in is not expanded again',
      input: { prompt: [system('S'), user('{{email.subject}}')] },
      messages: [system('S'), user('{{date}}')],
    },
    {
      name: 'a variable without a value is empty',
      input: { prompt: [system('[{{scope}}]'), user('U')] },
      messages: [system('[]'), user('U')],
    },
    {
      name: 'braces that are no variable stay',
      input: { prompt: [system('{{ a b }} {{nope}} {x}'), user('U')] },
      messages: [system('{{ a b }} {{nope}} {x}'), user('U')],
    },
    {
      name: 'a template is used with its defaults and with given values',
      input: { prompt: { use: 'mood', with: { language: 'German' } } },
      messages: [system('Be calm in German.')],
    },
    {
      name: 'values of a template are literal',
      input: { prompt: { use: 'mood', with: { language: '{{tone}} {{date}}' } } },
      messages: [system('Be calm in {{tone}} {{date}}.')],
    },
    {
      name: 'without a user message the trigger is appended',
      input: { prompt: [system('S')], trigger: mail('MAIL') },
      messages: [system('S'), user('MAIL')],
    },
    {
      name: 'a trigger that no variable placed is appended after other user messages',
      input: { prompt: [system('S'), user('U')], trigger: mail('MAIL') },
      messages: [system('S'), user('U'), user('MAIL')],
    },
    {
      name: 'the trigger is appended after an example',
      input: { prompt: [system('S'), user('U'), assistant('A')], trigger: ask('ASK') },
      messages: [system('S'), user('U'), assistant('A'), user('ASK')],
    },
    {
      name: 'a mail that a variable placed is not appended',
      input: { prompt: [system('S'), user('Read: {{ email }}'), user('U')], trigger: mail('MAIL') },
      messages: [system('S'), user('Read: THE MAIL'), user('U')],
    },
    {
      name: 'the text of a mail places the mail',
      input: { prompt: [system('S'), user('{{email.text}}')], trigger: mail('MAIL') },
      messages: [system('S'), user('THE TEXT')],
    },
    {
      name: 'a mail without a text is appended as a whole',
      input: {
        prompt: [system('S'), user('{{email.text}}')],
        trigger: mail('MAIL'),
        variables: { 'email.text': () => '' },
      },
      messages: [system('S'), user('MAIL')],
    },
    {
      name: 'a subject does not place the mail',
      input: { prompt: [system('S'), user('About {{email.subject}}')], trigger: mail('MAIL') },
      messages: [system('S'), user('About {{date}}'), user('MAIL')],
    },
    {
      name: 'a message does not place a mail',
      input: { prompt: [system('S'), user('{{message}}')], trigger: mail('MAIL') },
      messages: [system('S'), user('MAIL')],
    },
    {
      name: 'a mail does not place a message, and what has no text is left out',
      input: { prompt: [system('S'), user('{{email}}')], trigger: ask('ASK'), variables: {} },
      messages: [system('S'), user('ASK')],
    },
    {
      name: 'a message that a variable placed is not appended',
      input: {
        prompt: [system('S'), user('{{message}}'), assistant('A')],
        trigger: ask('ASK'),
        variables: { message: () => 'ASK' },
      },
      messages: [system('S'), user('ASK'), assistant('A')],
    },
    {
      name: 'a template places the trigger',
      input: { prompt: { use: 'read', with: { language: 'German' } }, trigger: mail('MAIL') },
      messages: [system('You are Boss. Leads.'), user('THE MAIL')],
    },
    {
      name: 'the trigger is not expanded',
      input: { prompt: [system('S')], trigger: mail('{{date}}') },
      messages: [system('S'), user('{{date}}')],
    },
    {
      name: 'the result of an example gets the call that it answers',
      input: {
        prompt: [
          system('S'),
          user('Tuesday?'),
          { role: 'tool', name: 'calendar_read', arguments: { day: 2 }, content: '{{date}}' },
          assistant('Free.'),
        ],
        trigger: ask('ASK'),
      },
      messages: [
        system('S'),
        user('Tuesday?'),
        { role: 'assistant', content: null, tool_calls: [called('call00000', 'calendar_read', '{"day":2}')] },
        { role: 'tool', tool_call_id: 'call00000', content: '2026-11-21' },
        assistant('Free.'),
        user('ASK'),
      ],
    },
    {
      name: 'the results after an answer belong to that answer',
      input: {
        prompt: [
          system('S'),
          assistant('I look.'),
          { role: 'tool', name: 'a', content: '1' },
          { role: 'tool', content: '' },
          user('U'),
          { role: 'tool', name: 'c', content: '3' },
        ],
      },
      messages: [
        system('S'),
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [called('call00000', 'a', '{}'), called('call00001', 'example_tool', '{}')],
        },
        { role: 'tool', tool_call_id: 'call00000', content: '1' },
        { role: 'tool', tool_call_id: 'call00001', content: '' },
        user('U'),
        { role: 'assistant', content: null, tool_calls: [called('call00002', 'c', '{}')] },
        { role: 'tool', tool_call_id: 'call00002', content: '3' },
      ],
    },
    {
      name: 'without a system message one is made of name and description',
      input: { prompt: [user('U')] },
      messages: [system('You are Boss. Leads.'), user('U')],
    },
    {
      name: 'the made one names the scope',
      input: { scopeText: 'You may read /notes.' },
      messages: [system('You are Boss. Leads.\n\nYou may read /notes.')],
    },
    {
      name: 'the imprint follows the prompt’s own system messages',
      input: { prompt: [system('A'), system('B'), user('U')], imprint: 'Calm, {{date}}.' },
      messages: [system('A'), system('B'), system('Calm, 2026-11-21.'), user('U')],
    },
    {
      name: 'the imprint follows a made system message',
      input: { prompt: [user('U')], imprint: 'Calm.' },
      messages: [system('You are Boss. Leads.'), system('Calm.'), user('U')],
    },
    {
      name: 'nothing at all still opens a thread',
      input: { trigger: ask('Hello') },
      messages: [system('You are Boss. Leads.'), user('Hello')],
    },
  ] satisfies { name: string; input: Partial<PromptInput>; messages: object[] }[])('$name', ({ input, messages }) => {
    expect(renderPrompt({ ...base, ...input })).toEqual(messages);
  });

  test('asks for a value at most once, and only when it is used', () => {
    const email = vi.fn(() => 'MAIL');
    const thread = vi.fn(() => 'THREAD');
    renderPrompt({ ...base, variables: { email, thread }, prompt: [user('{{email}} {{email}}'), user('{{email}}')] });
    expect(email).toHaveBeenCalledTimes(1);
    expect(thread).not.toHaveBeenCalled();
  });

  test('a dollar sign in a value is a dollar sign', () => {
    const messages = renderPrompt({
      ...base,
      variables: { email: () => "$& $1 $'" },
      prompt: [system('S'), user('<{{email}}>')],
    });
    expect(messages[1]?.content).toBe("<$& $1 $'>");
  });
});
