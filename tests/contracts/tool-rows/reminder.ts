import { createReminders } from '../../../engine/src/agenda/reminders.ts';
import type { FamilyRows } from '../tool.ts';
import type { Stage } from '../../run/harness.ts';

const countOf =
  (status: string) =>
  ({ app }: Stage) =>
    app.deps.store.count('reminder', [['status', '=', status]]);

let made = 0;
/** A reminder of its own for each call. */
const another = async ({ app: { deps } }: Stage) => {
  const reminders = createReminders({ ...deps, onChange: () => {} });
  const options = { key: `row ${++made}`, due: Date.UTC(2099, 0) };
  return { id: (await reminders.add({ text: 'x', timeZone: 'UTC' }, options)).id };
};

export const rows: FamilyRows = {
  tools: {
    reminder_create: {
      effects: 'write',
      reach: 'outward',
      repeat: 'key',
      args: { text: 'Call Anna', in: 'P300D' },
      count: countOf('open'),
    },
    reminder_list: { effects: 'read', reach: 'private', repeat: 'free', args: {} },
    reminder_cancel: { effects: 'write', repeat: 'key', args: another, count: countOf('cancelled') },
  },
};
