import { expect, test } from 'vitest';
import { builtInToolCatalog, builtInToolTable } from '../../engine/src/app/tool-catalog.ts';
import type { Agent, Director, Snapshot } from '../../engine/src/config/config.ts';
import { isSameAddress } from '../../engine/src/account/same-mailbox.ts';
import { wantedScopes } from '../../engine/src/account/wanted-scopes.ts';
import { type CloudAccount, requiredUsesOf } from '../../engine/src/account/required-scopes.ts';
import { missingScopes, scopeName, scopesFor } from '../../engine/src/account/scopes.ts';
import { setStage } from '../run/harness.ts';

const GMAIL: CloudAccount = {
  ...{ id: 'support', description: '', enabled: true, provider: 'gmail', email: 'jane@example.org' },
  oauth: { clientId: 'client', clientSecret: '${env:SECRET}' },
  ...{ labels: ['INBOX'], replies: false },
};
const OUTLOOK: CloudAccount = {
  ...{ id: 'team', description: '', enabled: true, provider: 'outlook', email: 'jane@example.org', replies: false },
  oauth: { clientId: 'client', tenant: 'common' },
};

/** A config that is given in YAML, as it is after all checks. */
async function configOf(files: Readonly<Record<string, string>>): Promise<Snapshot> {
  const stage = await setStage({ files });
  const snapshot = stage.app.config.current();
  await stage.close();
  return snapshot;
}

const boss = (more: string) => ({ 'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\n${more}\n` });
const helper = (more: string) => ({ 'agents/helper.yaml': `id: helper\nname: H\ndescription: Helps.\n${more}\n` });
/** An agent of a director: one that no director names works for any account. */
const TEAM = { ...boss('agents: [helper]'), ...helper('') };

test.each<[string, Record<string, string>, Partial<CloudAccount>, string[], string[]]>([
  ['fetching alone reads', TEAM, {}, ['gmail.readonly'], ['Mail.Read']],
  [
    'people who reply draft and send',
    TEAM,
    { replies: true },
    ['gmail.compose', 'gmail.readonly'],
    ['Mail.ReadWrite', 'Mail.Send'],
  ],
  [
    'a family of a director counts in full',
    { ...boss('agents: [helper]\ntools: [calendar]'), ...helper('') },
    {},
    ['calendar.calendarlist.readonly', 'calendar.events', 'gmail.readonly'],
    ['Calendars.ReadWrite', 'Mail.Read'],
  ],
  [
    'a tool of an agent counts',
    { ...boss('agents: [helper]'), ...helper('tools: [todo_list]') },
    {},
    ['gmail.readonly', 'tasks.readonly'],
    ['Mail.Read', 'Tasks.Read'],
  ],
  [
    'a tool that the director denies its agent does not',
    { ...boss('agents: [helper]\npermissions: { deny: [todo_*] }'), ...helper('tools: [todo_list]') },
    {},
    ['gmail.readonly'],
    ['Mail.Read'],
  ],
  [
    'a tool that writes and that no rule of its permissions names does not',
    {
      ...boss('agents: [helper]\ntools: [mail, calendar]\npermissions: { allow: [mail_draft], ask: [calendar_add] }'),
      ...helper(''),
    },
    {},
    ['calendar.calendarlist.readonly', 'calendar.events', 'gmail.compose', 'gmail.readonly'],
    ['Calendars.ReadWrite', 'Mail.ReadWrite'],
  ],
  [
    'a director of other accounts does not',
    {
      ...boss('accountIds: [inbox]\nagents: [helper]\ntools: [calendar]'),
      ...helper(''),
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: a@b.c\npath: ./inbox\n',
    },
    {},
    ['gmail.readonly'],
    ['Mail.Read'],
  ],
  [
    'an agent that no director names works in sessions, for any account',
    { ...boss(''), ...helper('tools: [calendar_read]') },
    {},
    ['calendar.calendarlist.readonly', 'calendar.events.readonly', 'gmail.readonly'],
    ['Calendars.Read', 'Mail.Read'],
  ],
])('of scopes, %s', async (_name, files, more, google, microsoft) => {
  const config = await configOf(files);
  const names = (account: CloudAccount) =>
    wantedScopes({ ...account, ...more } as CloudAccount, config, builtInToolTable())
      .map(scopeName)
      .sort();
  expect(names(GMAIL)).toEqual(google);
  expect(names(OUTLOOK)).toEqual(microsoft);
});

test('a wide scope takes the place of narrow ones', () => {
  expect(scopesFor('gmail', ['read', 'draft', 'send', 'label']).map(scopeName)).toEqual(['gmail.modify']);
  expect(scopesFor('outlook', ['read', 'draft', 'send'])).toEqual(['Mail.ReadWrite', 'Mail.Send']);
});

test('what was granted in another spelling counts', () => {
  expect(missingScopes(['https://graph.microsoft.com/mail.readwrite'], ['Mail.Read', 'Mail.Send'])).toEqual([
    'Mail.Send',
  ]);
});

test('each need names what has it', async () => {
  const config = await configOf({ ...boss('agents: [helper]'), ...helper('tools: [todo_list]') });
  const made: (Director | Agent)[] = [...config.directors.values(), ...config.agents.values()];
  expect(made).toHaveLength(2);
  expect(requiredUsesOf(OUTLOOK, config, builtInToolTable())).toEqual([
    { use: 'read', by: 'fetching mail' },
    { use: 'todo read', by: 'agent helper (todo_list)' },
  ]);
});

test('every tool that works in an account is known to need something there', async () => {
  const families = ['mail', 'calendar', 'todo'];
  const tools = [...builtInToolCatalog().tools].flatMap(([name, { family }]) =>
    families.includes(family) ? [name] : [],
  );
  expect(tools).toContain('mail_send');
  const config = await configOf({ ...boss('agents: [helper]'), ...helper(`tools: [${families.join(', ')}]`) });
  const named = requiredUsesOf(OUTLOOK, config, builtInToolTable()).map(({ by }) => by);
  expect(tools.filter((tool) => !named.includes(`agent helper (${tool})`))).toEqual([]);
});

test.each([
  ['Jane@Example.org', 'jane@example.ORG', true],
  ['j.a.ne@gmail.com', 'jane@googlemail.com', true],
  ['j.ane@example.org', 'jane@example.org', false],
  ['jane@example.org', 'jane@example.com', false],
])('%s and %s are one mailbox: %s', (one, other, expected) => {
  expect(isSameAddress(one, other)).toBe(expected);
});
