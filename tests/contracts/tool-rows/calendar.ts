import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FamilyRows, ToolRow } from '../tool.ts';

const WEEK = { dateRange: { start: '2099-11-23', end: '2099-11-29' } };
const reads = (args: object, reach?: 'private'): ToolRow => ({
  effects: 'read',
  repeat: 'free',
  args,
  ...(reach && { reach }),
});

export const rows: FamilyRows = {
  files: { 'settings.yaml': 'calendar: { path: ./calendar }\n' },
  tools: {
    calendar_read: reads(WEEK, 'private'),
    calendar_add: {
      effects: 'write',
      repeat: 'key',
      args: { event: { title: 'Call with Anna', start: '2099-11-25T14:00', end: '2099-11-25T14:30' } },
      count: ({ root }) => {
        const folder = join(root, 'calendar');
        return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ics')).length : 0;
      },
    },
    calendar_free_slots: reads(WEEK),
    calendar_list: reads({}, 'private'),
  },
};
