import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../run/harness.ts';
import type { FamilyRows } from '../tool.ts';

const reads = { effects: 'read', reach: 'private', repeat: 'free' } as const;
const writes = {
  effects: 'write',
  repeat: 'lookup',
  count: ({ app }: Stage) => app.deps.store.count('fileChange'),
} as const;
/** A number that no call before has used. */
let made = 0;

function put(stage: Stage, path: string): void {
  const folder = join(stage.root, 'notebooks/lab');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, path), '---\nstatus: open\n---\n# Plan\nWater the seedlings.\n');
}

export const rows: FamilyRows = {
  files: {
    'settings.yaml': 'roots: { lab: ./notebooks/lab }\n',
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\ntools: [notebook]\npermissions: { allow: ["*"] }\n' +
      'scope: { notebooks: [lab], operations: [read, write, create, delete] }\n',
  },
  prepare: (stage) => put(stage, 'plan.md'),
  tools: {
    notebook_read_file: { ...reads, args: { path: '/plan.md' } },
    notebook_list_files: { ...reads, args: { pattern: '*.md' } },
    notebook_search_content: { ...reads, args: { query: 'seedlings' } },
    notebook_get_metadata: { ...reads, args: { path: '/plan.md' } },
    notebook_update_properties: {
      ...writes,
      args: () => ({ path: '/plan.md', properties: { round: ++made } }),
    },
    notebook_write_file: { ...writes, args: () => ({ path: '/report.md', content: `Round ${++made}.\n` }) },
    notebook_create_file: { ...writes, args: () => ({ path: `/new-${++made}.md`, content: 'New.\n' }) },
    notebook_delete_file: {
      ...writes,
      args: (stage) => {
        put(stage, `old-${++made}.md`);
        return { path: `/old-${made}.md` };
      },
    },
  },
};
