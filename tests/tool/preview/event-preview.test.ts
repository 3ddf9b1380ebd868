import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAgenda } from '../../../engine/src/agenda/open-agenda.ts';
import { readPreview } from '../../../engine/src/tool/preview.ts';
import { builtInTools } from '../../../engine/src/tool/registry.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { type GooglePeer, startGooglePeer } from '../../agenda/google/google-peer.ts';
import { hastyClock, playTokens } from '../../agenda/peer.ts';
import { playModels, setStage, type Stage } from '../../run/harness.ts';
import { CALLER } from '../declared/declared-harness.ts';
import { toolServices } from '../tool-services.ts';

let stage: Stage;
let google: GooglePeer;
beforeEach(async () => {
  google = await startGooglePeer();
  stage = await setStage({
    models: playModels(() => ({ content: 'done' })),
    files: {
      'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n',
      'accounts/jane.yaml': `id: jane\nprovider: gmail\nemail: jane@example.org\noauth: { clientId: c, clientSecret: '\${secret:G}' }\nendpoints: { api: '${google.url}' }\n`,
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\n',
    },
  });
});
afterEach(async () => {
  await stage.close();
  await google.close();
});

async function previewOf(args: object) {
  const { app, root } = stage;
  const agenda = openAgenda({
    config: () => app.config.current(),
    ...{ baseDir: root, store: app.deps.store, clock: hastyClock(), workers: app.calendarWorkers },
    tokensOf: () => playTokens(),
  });
  const tool = builtInTools(toolServices({ agenda: () => agenda })).find(
    ({ name }) => name === 'calendar_add',
  ) as WorldTool;
  const preview = await tool.preview?.(args as Readonly<Record<string, unknown>>, CALLER, {});
  return preview && readPreview(preview);
}

test('the preview of an event shows its time in the zone of the user, of the event and of the calendar', async () => {
  google.calendars[0] = { ...google.calendars[0]!, timeZone: 'Asia/Tokyo' };
  const event = { title: 'Call', start: '2026-11-25T09:00', end: '2026-11-25T09:30', timeZone: 'America/New_York' };
  expect(await previewOf({ accountId: 'jane', event: { ...event, location: 'Room 5' } })).toEqual({
    ...{ kind: 'event', title: 'Call', location: 'Room 5', attendees: [], isAllDay: false, accountId: 'jane' },
    calendar: 'jane@example.org',
    times: [
      { of: ['user'], timeZone: 'Europe/Berlin', start: 'Wed 25 Nov 2026, 15:00', end: '15:30' },
      { of: ['event'], timeZone: 'America/New_York', start: 'Wed 25 Nov 2026, 09:00', end: '09:30' },
      { of: ['calendar'], timeZone: 'Asia/Tokyo', start: 'Wed 25 Nov 2026, 23:00', end: '23:30' },
    ],
  });
  expect(google.events).toEqual([]);
});

test('the preview of an event shows a zone once, and whole days from the first to the last', async () => {
  google.calendars[0] = { ...google.calendars[0]!, timeZone: 'Europe/Berlin' };
  expect(
    await previewOf({ accountId: 'jane', event: { title: 'Fair', start: '2026-11-25', end: '2026-11-26' } }),
  ).toMatchObject({
    isAllDay: true,
    times: [{ timeZone: 'Europe/Berlin', start: 'Wed 25 Nov 2026', end: 'Thu 26 Nov 2026' }],
  });
  const late = { title: 'Night', start: '2026-11-25T23:00', end: '2026-11-26T01:00' };
  expect(await previewOf({ accountId: 'jane', event: late })).toMatchObject({
    times: [{ of: ['user', 'event', 'calendar'], start: 'Wed 25 Nov 2026, 23:00', end: 'Thu 26 Nov 2026, 01:00' }],
  });
});
