import type { FamilyRows } from '../tool.ts';

export const rows: FamilyRows = {
  tools: {
    todo_add: {
      effects: 'write',
      repeat: 'key',
      args: { task: { title: 'Send the proofs', due: '2026-11-25' } },
      count: async ({ app }) => (await app.deps.store.list('todo')).length,
    },
    todo_list: { effects: 'read', reach: 'private', repeat: 'free', args: {} },
  },
};
