import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Roaming } from '../../../engine/src/chat/chat.ts';
import { type Confirmation, confirmRoaming, type SentRoaming } from '../../../engine/src/chat/roam/confirm.ts';
import { listChoices } from '../../../engine/src/chat/roam/folder.ts';
import type { Api } from '../../../engine/src/config/config.ts';
import { tempFolder } from './roam-stage.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const api = (cli: string) =>
  ({ id: 'tool', provider: 'cli', cli: cli === 'own' ? { argv: ['x'] } : cli }) as unknown as Api;

let base: string;
let shop: string;
beforeEach(() => {
  base = tempFolder();
  shop = join(base, 'shop');
  for (const name of ['config', 'data', 'shop/.git', 'shop/web', 'other'])
    mkdirSync(join(base, name), { recursive: true });
});

const rules = () => ({
  workspaces: { shop: './shop' },
  folders: { config: join(base, 'config'), data: join(base, 'data') },
});
const confirm = (sent: SentRoaming, more: Partial<Confirmation> = {}) =>
  confirmRoaming(sent, {
    ...{ ...rules(), name: 'Jane', api: api('codex'), before: undefined, hasBubblewrap: true, by: 'local', now: NOW },
    ...more,
  });
const confirmed = (more: Partial<Roaming> = {}): Roaming => ({
  ...{ enabled: true, workspaceDir: shop, mode: 'safe', confirmedBy: 'local' },
  ...{ confirmedAt: '2026-11-23T12:00:00.000Z', confirmedReach: 'copy', ...more },
});

const own = (more: object) =>
  ({ id: 'house', provider: 'cli', cli: { argv: ['x'] }, protocol: 'auto', ...more }) as unknown as Api;

describe('roaming', () => {
  test.each<[string, object, boolean]>([
    ['by the protocol', { acpCommand: ['x-acp'] }, true],
    ['by the protocol, without bubblewrap', { acpCommand: ['x-acp'] }, false],
    ['by flags', {}, true],
    ['by flags, without bubblewrap', { protocol: 'flags' }, false],
  ])('in safe is refused to a command with unknown modes %s', async (_name, more, hasBubblewrap) => {
    const sent = { enabled: true, workspaceDir: shop, mode: 'safe', confirmed: true } as const;
    await expect(confirm(sent, { api: own(more), hasBubblewrap })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('does not know the modes'),
      hint: expect.stringContaining('yolo'),
    });
  });

  test('in yolo warns that Gemini CLI takes settings of the folder', async () => {
    const sent = { enabled: true, workspaceDir: shop } as const;
    const gemini = confirm({ ...sent, mode: 'yolo' }, { api: api('gemini') });
    await expect(gemini).rejects.toMatchObject({ hint: expect.stringContaining('settings in its .gemini') });
    const safe = confirm({ ...sent, mode: 'safe' }, { api: api('gemini') });
    await expect(safe).rejects.toMatchObject({ hint: expect.not.stringContaining('.gemini') });
  });

  test.each<[string, 'safe' | 'yolo', Api]>([
    ['in yolo', 'yolo', own({ acpCommand: ['x-acp'] })],
    ['in yolo by flags', 'yolo', own({})],
    ['of a known tool', 'safe', { ...own({ acpCommand: ['x-acp'] }), cli: 'codex' } as unknown as Api],
  ])('is allowed to a command with acpCommand %s', async (_name, mode, api) => {
    const sent = { enabled: true, workspaceDir: shop, mode, confirmed: true };
    expect(await confirm(sent, { api })).toMatchObject({ enabled: true, mode });
  });

  test('is refused with the warning until a person confirms it, who and when are stored', async () => {
    const sent = { enabled: true, workspaceDir: shop, mode: 'safe' } as const;
    await expect(confirm(sent)).rejects.toMatchObject({
      code: 'ROAMING_UNCONFIRMED',
      hint: expect.stringContaining('can run arbitrary commands'),
    });
    expect(await confirm({ ...sent, confirmed: true })).toEqual(confirmed());
  });

  test('needs no second confirmation for the same folder, mode and reach', async () => {
    expect(await confirm({ enabled: true }, { before: confirmed() })).toEqual(confirmed());
    const off = await confirm({ enabled: false }, { before: confirmed() });
    expect(off).toEqual(confirmed({ enabled: false }));
    expect(await confirm({ enabled: true }, { before: off })).toEqual(confirmed());
  });

  test.each<[string, SentRoaming, Partial<Confirmation>]>([
    ['another mode', { enabled: true, mode: 'yolo' }, {}],
    ['another folder', { enabled: true, workspaceDir: './shop/web' }, {}],
    ['a reach that has grown, since bubblewrap is gone', { enabled: true }, { hasBubblewrap: false }],
  ])('must be confirmed again for %s', async (_name, sent, more) => {
    await expect(confirm(sent, { before: confirmed(), ...more })).rejects.toMatchObject({
      code: 'ROAMING_UNCONFIRMED',
    });
  });

  test.each<[string, string, 'safe' | 'yolo', boolean, string]>([
    ['bubblewrap confines every tool', 'claude', 'yolo', true, 'copy'],
    ['bubblewrap does not confine a command of the user', 'own', 'yolo', true, 'user'],
    ['Codex confines itself', 'codex', 'safe', false, 'sandbox'],
    ['Codex does not in yolo', 'codex', 'yolo', false, 'user'],
    ['Claude does not confine itself', 'claude', 'safe', false, 'user'],
  ])('stores what is within reach: %s', async (_name, cli, mode, hasBubblewrap, reach) => {
    const sent = { enabled: true, workspaceDir: shop, mode, confirmed: true };
    expect(await confirm(sent, { api: api(cli), hasBubblewrap })).toMatchObject({ mode, confirmedReach: reach });
    const asked = confirm({ ...sent, confirmed: false }, { api: api(cli), hasBubblewrap });
    const says = reach === 'user' ? 'all that this user can read or write' : 'can run arbitrary commands';
    await expect(asked).rejects.toMatchObject({ hint: expect.stringContaining(says) });
  });

  test.each<[string, string, string]>([
    ['the config folder', './config', 'FILE_DENIED'],
    ['a folder above the config and the data', '.', 'FILE_DENIED'],
    ['a folder outside the workspaces', './other', 'FILE_DENIED'],
    ['a folder that is not there', './shop/none', 'FILE_DENIED'],
    ['a link that leads out of the workspace', './shop/link', 'FILE_DENIED'],
    ['a path that leads up', './shop/../other', 'FILE_DENIED'],
  ])('is refused for %s', async (_name, workspaceDir, code) => {
    symlinkSync(join(base, 'other'), join(shop, 'link'));
    await expect(confirm({ enabled: true, workspaceDir, confirmed: true })).rejects.toMatchObject({ code });
  });

  test('is refused for the data folder and what contains it, whatever the workspaces say', async () => {
    const workspaces = { all: '.', data: './data' };
    for (const workspaceDir of ['./data', '.', './config'])
      await expect(confirm({ enabled: true, workspaceDir, confirmed: true }, { workspaces })).rejects.toMatchObject({
        code: 'FILE_DENIED',
      });
  });

  test('is refused for a participant that is no command-line agent', async () => {
    const sent = { enabled: true, workspaceDir: shop, confirmed: true };
    await expect(confirm(sent, { api: undefined })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the choice of a folder', () => {
  test('begins with the workspaces that are there, and goes down into their folders, and never up out of them', async () => {
    const workspaces = { shop: './shop', gone: './gone', data: './data' };
    const all = await listChoices(undefined, { ...rules(), workspaces });
    expect(all).toMatchObject({ path: null, folders: [{ name: 'shop', path: shop }] });
    expect(await listChoices(shop, rules())).toEqual({
      ...{ path: shop, parent: null, isTruncated: false },
      folders: [{ name: 'web', path: join(shop, 'web') }],
    });
    expect(await listChoices(join(shop, 'web'), rules())).toMatchObject({ parent: shop, folders: [] });
    await expect(listChoices(join(base, 'other'), rules())).rejects.toMatchObject({ code: 'FILE_DENIED' });
    rmSync(join(shop, 'web'), { recursive: true });
  });
});
