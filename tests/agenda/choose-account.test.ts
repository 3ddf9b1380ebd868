import { describe, expect, test } from 'vitest';
import type { AgendaOwner } from '../../engine/src/agenda/agenda.ts';
import { chooseAccount } from '../../engine/src/agenda/choose-account.ts';
import type { Account, Director, Snapshot } from '../../engine/src/config/config.ts';

const account = (id: string, provider: Account['provider']) => [id, { id, provider }] as unknown as [string, Account];
const director = (id: string, accountIds?: string[]) => [id, { id, accountIds }] as unknown as [string, Director];

/** An account each of a folder, an IMAP server and Microsoft, and as many of Google as asked for. */
function configWith(...google: string[]): Pick<Snapshot, 'accounts' | 'directors'> {
  return {
    accounts: new Map([
      account('archive', 'folder'),
      account('team', 'imap'),
      account('office', 'outlook'),
      ...google.map((id) => account(id, 'gmail')),
    ]),
    directors: new Map([director('boss'), director('clerk', ['archive', 'jane'])]),
  };
}

const chosen = (owner: AgendaOwner, config = configWith('jane'), mail?: string) => {
  const found = chooseAccount(owner, config, mail);
  return found === 'local' ? 'local' : found.id;
};

test.each<{ name: string; owner: AgendaOwner; mail?: string; is: string }>([
  { name: 'an account at Google has its own', owner: { accountId: 'jane' }, is: 'jane' },
  { name: 'so has one at Microsoft', owner: { accountId: 'office' }, is: 'office' },
  { name: 'one of IMAP has the local one', owner: { accountId: 'team' }, is: 'local' },
  {
    name: 'a named account counts more than that of the mail',
    owner: { accountId: 'team' },
    mail: 'jane',
    is: 'local',
  },
  { name: 'google is gmail', owner: { accountId: 'jane', provider: 'google' }, is: 'jane' },
  { name: 'gmail is google', owner: { accountId: 'jane', provider: 'gmail' }, is: 'jane' },
  { name: 'microsoft is outlook', owner: { provider: 'microsoft' }, is: 'office' },
  { name: 'outlook is microsoft', owner: { accountId: 'office', provider: 'outlook' }, is: 'office' },
  {
    name: 'an account of a folder is local by its provider too',
    owner: { accountId: 'archive', provider: 'folder' },
    is: 'local',
  },
  { name: 'local is local whatever the mail', owner: { provider: 'local' }, mail: 'jane', is: 'local' },
  { name: 'nothing is that of the mail', owner: {}, mail: 'office', is: 'office' },
  { name: 'nothing is local where the mail came to a folder', owner: {}, mail: 'archive', is: 'local' },
  { name: 'a provider is that of the mail, of several', owner: { provider: 'google' }, mail: 'jane', is: 'jane' },
  { name: 'a provider is found without the mail', owner: { provider: 'google' }, mail: 'archive', is: 'jane' },
  { name: 'an account of the mail that is gone is none', owner: { provider: 'google' }, mail: 'gone', is: 'jane' },
  { name: 'without a mail it is the only one of the director', owner: { directorId: 'clerk' }, is: 'jane' },
])('$name', ({ owner, mail, is }) => {
  expect(chosen(owner, configWith('jane'), mail)).toBe(is);
});

test.each([
  ['another account than its own is none to a director', { directorId: 'clerk', accountId: 'office' }, undefined],
  ['nor to one that is gone from the config', { directorId: 'gone', accountId: 'office' }, 'jane'],
])('%s', (_name, owner, mail) => {
  expect(() => chosen(owner, configWith('jane'), mail)).toThrow('there is no account "office"');
});

test('an agent that works for a person may use every account', () => {
  expect(chosen({ directorId: '', accountId: 'office' })).toBe('office');
});

test('without a mail it is local where no account has its own', () => {
  const accounts = new Map([account('archive', 'folder'), account('team', 'imap')]);
  expect(chosen({}, { accounts, directors: new Map() })).toBe('local');
});

describe('it is said what cannot be:', () => {
  test.each<{ name: string; owner: AgendaOwner; message: string; hint: string }>([
    {
      ...{ name: 'no such account', owner: { accountId: 'nobody' }, message: 'there is no account "nobody"' },
      hint: 'accounts are: archive, team, office, jane, john',
    },
    {
      ...{ name: 'no such provider', owner: { provider: 'yahoo' }, message: 'there is no calendar or list of "yahoo"' },
      hint: 'google, microsoft or local',
    },
    {
      ...{ name: 'another provider', owner: { accountId: 'jane', provider: 'outlook' } },
      ...{
        message: `the account "jane" has Google's calendar and list, not those of "outlook"`,
        hint: 'omit provider',
      },
    },
    {
      ...{ name: 'a provider for an account without', owner: { accountId: 'team', provider: 'google' } },
      ...{
        message: `the account "team" has the local calendar and list, not those of "google"`,
        hint: 'omit provider',
      },
    },
    {
      ...{ name: 'local for an account with its own', owner: { accountId: 'jane', provider: 'local' } },
      ...{ message: `the account "jane" has Google's calendar and list, not those of "local"`, hint: 'or accountId' },
    },
    {
      ...{ name: 'two of a provider', owner: { provider: 'google' } },
      ...{ message: 'several accounts have a calendar and a list of their own: jane, john', hint: 'accountId' },
    },
    {
      ...{ name: 'several, with no mail to tell', owner: { directorId: 'boss' } },
      ...{ message: 'several accounts have a calendar and a list of their own: office, jane, john', hint: '"local"' },
    },
  ])('$name', ({ owner, message, hint }) => {
    expect(() => chosen(owner, configWith('jane', 'john'))).toThrow(
      expect.objectContaining({ code: 'TOOL_ARGUMENTS', message, hint: expect.stringContaining(hint) as string }),
    );
  });

  test('none of a provider', () => {
    const config = { ...configWith(), directors: new Map() };
    expect(() => chosen({ provider: 'google' }, config)).toThrow(/no account with Google's calendar/);
  });
});
