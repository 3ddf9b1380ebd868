import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deskOf } from '../plan-model.ts';

const permissions = 'permissions: { allow: [post, charge, fire], ask: [pay] }\n';
const tools = 'tools: [workspace_add_item, outside]\n';
const director = (id: string) =>
  `id: ${id}\nname: ${id}\napiConfigId: main\nagents: [ann, bob]\n${tools}${permissions}`;

/** Agent bob as of some change. */
export const bobOf = (n: number) =>
  `id: bob\nname: Bob\ndescription: Acts too, as of change ${n}.\ntools: [outside]\n${permissions}`;

const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'fetch: { everySeconds: 1 }\nruns: { concurrency: 10 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nretry: { attempts: 6 }\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/boss.yaml': director('boss'),
  'directors/audit.yaml': director('audit'),
  'directors/desk.yaml': deskOf(tools, permissions),
  'agents/ann.yaml': `id: ann\nname: Ann\ndescription: Acts.\n${tools}${permissions}`,
  'agents/bob.yaml': bobOf(0),
  'filters/orders.yaml': 'id: orders\nanyOf:\n  - { field: Subject, regex: ^Order }\ndirectorId: boss\n',
  'filters/large.yaml': 'id: large\nanyOf:\n  - { field: Subject, regex: large }\ndirectorId: audit\n',
};

/** A new folder with a config and an empty inbox; what it holds is written by `write`. */
export function makeRoot(): { root: string; write: (name: string, text: string) => void } {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-shared-crash-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
    writeFileSync(join(root, 'config', name), text);
  };
  for (const [name, text] of Object.entries(CONFIG)) write(name, text);
  mkdirSync(join(root, 'inbox'));
  return { root, write };
}
