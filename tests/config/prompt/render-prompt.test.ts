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
  prompts: new Map([['mood', mood]]),
  actor: { name: 'Boss', description: 'Leads.' },
  variables: { 'email': () => 'THE MAIL', 'email.subject': () => '{{date}}', 'date': () => '2026-11-21' },
};

const system = (content: string) => ({ role: 'system', content }) as const;
const user = (content: string) => ({ role: 'user', content }) as const;

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
      input: { prompt: [system('S')], trigger: () => 'MAIL' },
      messages: [system('S'), user('MAIL')],
    },
    {
      name: 'with a user message the trigger is not appended',
      input: { prompt: [system('S'), user('U')], trigger: () => 'MAIL' },
      messages: [system('S'), user('U')],
    },
    {
      name: 'the trigger is not expanded',
      input: { prompt: [system('S')], trigger: () => '{{date}}' },
      messages: [system('S'), user('{{date}}')],
    },
    {
      name: 'without a system message one is made of name and description',
      input: { prompt: [user('U')] },
      messages: [system('You are Boss. Leads.'), user('U')],
    },
    {
      name: 'the made one names the scope',
      input: { scopeText: 'You may read /notes.' },
      messages: [system('You are Boss. Leads. You may read /notes.')],
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
      input: { trigger: () => 'Hello' },
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
