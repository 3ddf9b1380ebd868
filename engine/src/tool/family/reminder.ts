import type { Agenda } from '../../agenda/agenda.ts';
import { isTaintedReminder, type Reminders } from '../../agenda/reminders.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { ToolFamily } from '../tool-family.ts';
import type { WorldTool } from '../tool.ts';

/** Most reminders in one list. */
const MOST = 100;

/** Tools over reminders, which become notifications when they are due. */
export const reminderFamily: ToolFamily = {
  name: 'reminder',
  tools: ({ agenda, reminders }) => [createTool(agenda, reminders), listTool(reminders), cancelTool(reminders)],
  aliases: { create_reminder: 'reminder_create' },
};

const WHEN = {
  at: {
    type: 'string',
    maxLength: 40,
    description:
      'When it is due: a time such as 2026-11-25T14:00 or 2026-11-25T14:00+01:00; a day such as 2026-11-25 is due when working hours begin. Either at or in.',
    examples: ['2099-11-25T14:00'],
  },
  in: {
    type: 'string',
    maxLength: 40,
    description: 'Time from now as an ISO 8601 duration, such as PT30M, PT2H or P3D. Either at or in.',
    examples: ['PT2H'],
  },
  timeZone: {
    type: 'string',
    description: 'IANA name of the zone of a time without an offset, such as Europe/Berlin. Default: that of the user.',
    examples: ['Europe/Berlin'],
  },
} as const;

function createTool(agenda: () => Agenda, reminders: () => Reminders): WorldTool {
  return defineTool({
    name: 'reminder_create',
    trust: 'told',
    family: 'reminder',
    reach: 'outward',
    effects: 'write',
    repeat: 'key',
    description:
      'Reminds the user at a time. The reminder becomes a notification then, and a run of this director if startRun is true.',
    parameters: parameters(
      {
        text: { type: 'string', minLength: 1, maxLength: 1000, description: 'What to be reminded of.' },
        ...WHEN,
        startRun: {
          type: 'boolean',
          default: false,
          description:
            'true: this director also gets the text as a message at that time, which is at least ten minutes ahead, and works on it. Default false.',
        },
      },
      ['text'],
    ),
    async check(args, caller) {
      const { dueOf, starterOf } = await import('../../agenda/reminder-time.ts');
      dueOf(agenda(), args);
      starterOf(args, caller.origin.director.id);
    },
    async run({ text, startRun, ...when }, { caller, key, signal, isTainted = false }) {
      signal?.throwIfAborted();
      const { dueOf, starterOf } = await import('../../agenda/reminder-time.ts');
      const { due, timeZone } = dueOf(agenda(), { ...when, startRun });
      const { email, director } = caller.origin;
      const startsRunOf = starterOf({ startRun }, director.id);
      const reminder = {
        ...{ text, timeZone, runId: caller.runId },
        ...(director.id !== '' && { directorId: director.id }),
        ...(startsRunOf !== undefined && { startsRunOf }),
        ...(email !== undefined && { emailId: email.id }),
        ...(isTainted && { isTainted: true as const }),
      };
      return { reminder: await reminders().add(reminder, { key, due, signal }) };
    },
  });
}

function listTool(reminders: () => Reminders): WorldTool {
  return defineTool({
    name: 'reminder_list',
    trust: 'told',
    family: 'reminder',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    description: 'Lists reminders of the user: open ones by their time, others the last due first.',
    parameters: parameters({
      status: {
        type: 'string',
        enum: ['open', 'fired', 'cancelled'],
        default: 'open',
        description: 'Default open. fired: it was due.',
      },
      limit: { type: 'integer', minimum: 1, maximum: MOST, default: 50, description: 'Most to return. Default 50.' },
    }),
    async run({ status = 'open', limit = 50 }, { signal }) {
      const found = await reminders().list({ status, limit, signal });
      return { reminders: found, ...(found.some(isTaintedReminder) && { trust: 'untrusted' }) };
    },
  });
}

function cancelTool(reminders: () => Reminders): WorldTool {
  return defineTool({
    name: 'reminder_cancel',
    trust: 'told',
    family: 'reminder',
    effects: 'write',
    repeat: 'key',
    description: 'Cancels an open reminder.',
    parameters: parameters({ id: { type: 'string', description: 'Id of the reminder, as reminder_list shows it.' } }, [
      'id',
    ]),
    async run({ id }, { signal }) {
      const reminder = await reminders().cancel(id, { signal });
      return { reminder, ...(isTaintedReminder(reminder) && { trust: 'untrusted' }) };
    },
  });
}
