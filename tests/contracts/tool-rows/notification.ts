import type { FamilyRows } from '../tool.ts';

export const rows: FamilyRows = {
  tools: {
    notify: {
      effects: 'write',
      reach: 'outward',
      repeat: 'key',
      args: { title: 'The proofs are here', text: 'Both of them.' },
      count: async ({ app }) =>
        (await app.deps.store.list('notification')).filter(({ body }) => body.includes('proofs')).length,
    },
  },
};
