import { type Agenda, WEEKDAYS } from '../../agenda/agenda.ts';
import { isRecord } from '../../base/json.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import { toolPreview } from '../preview.ts';
import type { WorldTool } from '../tool.ts';
import type { ToolFamily } from '../tool-family.ts';
import { accountIdOf, OWNER, ownerOf } from './account-arguments.ts';

/** Tools over calendars (seed 000, 3.2.8b). Their code is loaded at the first call. */
export const calendarFamily: ToolFamily = {
  name: 'calendar',
  tools: ({ agenda }) => [readTool(agenda), addTool(agenda), freeSlotsTool(agenda), listTool(agenda)],
  aliases: { list_events: 'calendar_read', create_event: 'calendar_add' },
};

const DATE_RANGE = {
  type: 'object',
  description: 'What to look at: two days, both included, or two times. At most 366 days.',
  required: ['start', 'end'],
  additionalProperties: false,
  properties: {
    start: { type: 'string', description: 'Such as 2026-11-25, 2026-11-25T14:00 or 2026-11-25T14:00+01:00.' },
    end: { type: 'string', description: 'As start; a day is included, a time is not.' },
  },
  examples: [{ start: '2026-11-23', end: '2026-11-29' }],
} as const;

const CALENDAR_ID = (leftOut: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 1000,
    description: `Id or name of one calendar of the account, as calendar_list shows it. Left out: ${leftOut}`,
    examples: ['primary'],
  }) as const;

const TIME_ZONE = {
  type: 'string',
  description:
    'IANA name of the zone that times without an offset are in, such as Europe/Berlin. Default: that of the user.',
  examples: ['Europe/Berlin'],
} as const;

const EVENT = {
  type: 'object',
  required: ['title', 'start', 'end'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 500, description: 'What people see in their calendar.' },
    start: {
      type: 'string',
      description:
        'A time such as 2026-11-25T14:00 or 2026-11-25T14:00+01:00; a day such as 2026-11-25 for whole days.',
    },
    end: {
      type: 'string',
      description: 'As start. For whole days the last one; otherwise the time at which it is over.',
    },
    timeZone: TIME_ZONE,
    location: { type: 'string', maxLength: 1000, description: 'Where it is.' },
    description: { type: 'string', maxLength: 20_000, description: 'What one should know.' },
  },
  examples: [
    { title: 'Call with Anna', start: '2026-11-25T14:00', end: '2026-11-25T14:30', timeZone: 'Europe/Berlin' },
  ],
} as const;

const WORKING_HOURS = {
  type: 'object',
  description: 'When the time may be, if not in the usual working hours. An end before the start is on the next day.',
  additionalProperties: false,
  properties: {
    start: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'Such as 09:00.' },
    end: { type: 'string', pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', description: 'Such as 17:00.' },
    days: {
      type: 'array',
      items: { type: 'string', enum: WEEKDAYS },
      minItems: 1,
      description: 'Days on which it may begin.',
    },
  },
} as const;

function readTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'calendar_read',
    family: 'calendar',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    uses: ['calendar read', 'calendar list'],
    description:
      'Lists the events of the calendars in a range of dates, repeated ones at each of their times. `calendar` of an event names a calendar that is not the main one; `skipped` names what could not be read.',
    parameters: parameters(
      {
        ...OWNER,
        calendarId: CALENDAR_ID('all that can be read.'),
        dateRange: DATE_RANGE,
        timeZone: TIME_ZONE,
      },
      ['dateRange'],
    ),
    async run(args, { caller, signal }) {
      const { readEvents } = await import('../../agenda/event-actions.ts');
      const calendar = await agenda().calendar(ownerOf(args, caller));
      return { ...accountIdOf(calendar), ...(await readEvents(agenda(), calendar, args, { signal })) };
    },
  });
}

function addTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'calendar_add',
    trust: 'trusted',
    family: 'calendar',
    effects: 'write',
    repeat: 'key',
    uses: ['calendar add', 'calendar list'],
    description:
      'Adds one event to a calendar. Nobody is invited. `ics` in the answer is the event as a file, for the workspace (text/calendar).',
    parameters: parameters({ ...OWNER, calendarId: CALENDAR_ID('the main one.'), event: EVENT }, ['event']),
    binding: async (args, caller) =>
      (await import('./call-binding.ts')).agendaBinding(agenda(), args, caller, 'calendar'),
    async check({ event, ...owner }, caller) {
      const { readEvent } = await import('../../agenda/event-actions.ts');
      readEvent(agenda(), event);
      await agenda().calendar(ownerOf(owner, caller));
    },
    async preview({ event, calendarId, ...owner }, caller, { signal }) {
      const { previewEvent } = await import('../preview/event-preview.ts');
      const calendar = await agenda().calendar(ownerOf(owner, caller));
      return toolPreview(await previewEvent(agenda(), calendar, event, { calendarId, signal }));
    },
    async files({ event }, result) {
      const ics = isRecord(result) ? result['ics'] : undefined;
      return typeof ics === 'string'
        ? [{ label: event.title, mimeType: 'text/calendar', encoding: 'utf8', data: ics }]
        : [];
    },
    async run({ event, calendarId, ...owner }, { caller, key, signal }) {
      const { addEvent } = await import('../../agenda/event-actions.ts');
      const calendar = await agenda().calendar(ownerOf(owner, caller));
      return { ...accountIdOf(calendar), ...(await addEvent(agenda(), calendar, event, { key, calendarId, signal })) };
    },
  });
}

function freeSlotsTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'calendar_free_slots',
    trust: 'trusted',
    family: 'calendar',
    effects: 'read',
    repeat: 'free',
    uses: ['calendar read', 'calendar list'],
    description: 'Finds free time in a range of dates, within working hours and not in the past.',
    parameters: parameters(
      {
        ...OWNER,
        calendarId: CALENDAR_ID("all of the account's own; those of other people take no time."),
        dateRange: { ...DATE_RANGE, examples: [{ start: '2099-11-23', end: '2099-11-29' }] },
        durationMinutes: {
          type: 'integer',
          minimum: 1,
          maximum: 1440,
          default: 30,
          description: 'Shortest stretch that helps, in minutes. Default 30.',
        },
        workingHours: WORKING_HOURS,
        timeZone: TIME_ZONE,
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Most to return. Default 20.' },
      },
      ['dateRange'],
    ),
    async run({ durationMinutes = 30, limit = 20, ...args }, { caller, signal }) {
      const { findSlots } = await import('../../agenda/event-actions.ts');
      const calendar = await agenda().calendar(ownerOf(args, caller));
      const found = await findSlots(agenda(), calendar, { ...args, durationMinutes, limit }, { signal });
      return { ...accountIdOf(calendar), ...found };
    },
  });
}

function listTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'calendar_list',
    family: 'calendar',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    uses: ['calendar list'],
    description: 'Lists the calendars of an account. The other tools take their id or name as calendarId.',
    parameters: parameters({ ...OWNER }),
    async run(args, { caller, signal }) {
      const { listCalendars } = await import('../../agenda/event-actions.ts');
      const calendar = await agenda().calendar(ownerOf(args, caller));
      return { ...accountIdOf(calendar), ...(await listCalendars(calendar, { signal })) };
    },
  });
}
