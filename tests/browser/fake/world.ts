import { makeApproval } from './approval-fixtures.ts';
import { makeChatWorld } from './chat-fixtures.ts';
import { makeObjectives } from './objective-fixtures.ts';
import { makeProposals } from './page-routes.ts';
import { makeTasks } from './task-routes.ts';
import { makeTraces } from './traces.ts';
import { type World, addRun, makeItem, makeMail, minutesAgo } from './fixtures.ts';

/** A red dot of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** Common fields of all threads. */
const THREAD = {
  runId: 'run-invoice',
  workspaceId: 'run-invoice',
  directorId: 'client-manager',
  finalized: false,
  createdAt: '2026-11-21T09:00:00.000Z',
  lastActiveAt: '2026-11-21T09:00:00.000Z',
} as const;

const DRAFT = `Dear Ms Ray,

thank you for your message. You are right: **invoice 4411** lists the network cable twice. I have cancelled the second
line, and the corrected invoice is on its way.

| Position | Before | Now |
| --- | ---: | ---: |
| Network cable, 5 m | 2 × 14.90 € | 1 × 14.90 € |
| Total | 129.80 € | **114.90 €** |

1. You need not return anything.
2. If you have already paid, we refund 14.90 € within five days.

Kind regards
Client service
`;

/** A small world with one example of everything. */
export function makeWorld(): World {
  const world: World = {
    mails: [
      makeMail('mail-invoice', {
        subject: 'Invoice 4411 lists the cable twice',
        receivedAt: minutesAgo(2),
        attachments: [
          {
            index: 0,
            name: 'invoice-4411.pdf',
            mimeType: 'application/pdf',
            size: 48_213,
            sha256: 'ab',
            contentId: '',
            inline: false,
          },
          {
            index: 2,
            name: 'meeting.ics',
            mimeType: 'text/calendar',
            size: 700,
            sha256: 'ef',
            contentId: '',
            inline: false,
          },
          {
            index: 1,
            name: 'photo.jpg',
            mimeType: 'image/jpeg',
            size: 1_204_877,
            sha256: 'cd',
            contentId: '',
            inline: false,
          },
        ],
      }),
      makeMail('mail-urgent', {
        subject: 'URGENT: production line has stopped',
        from: [{ name: 'Jonas Feld', address: 'feld@example.net' }],
        receivedAt: minutesAgo(9),
      }),
      makeMail('mail-meeting', {
        subject: 'Besprechung am Dienstag verschieben?',
        from: [{ name: 'Marta Núñez', address: 'marta@example.es' }],
        receivedAt: minutesAgo(31),
      }),
      makeMail('mail-news', {
        subject: 'Our November newsletter',
        from: [{ name: 'Garden Weekly', address: 'news@garden.example' }],
        receivedAt: minutesAgo(190),
        list: true,
      }),
      makeMail('mail-failed', {
        subject: '返品の手続きについて',
        from: [{ name: '山田 花子', address: 'hanako@example.jp' }],
        receivedAt: minutesAgo(60 * 26),
      }),
    ],
    runs: [],
    items: new Map(),
    threads: new Map(),
    approvals: [],
    todos: [
      {
        id: 'todo-1',
        title: 'Answer Ada Ray',
        notes: 'by phone',
        due: '2026-11-25',
        status: 'open',
        createdAt: minutesAgo(3),
      },
      { id: 'todo-2', title: 'Order cables', status: 'done', createdAt: minutesAgo(90) },
    ],
    objectives: makeObjectives(),
    tasks: makeTasks(),
    chat: makeChatWorld(),
    notifications: [
      {
        ...{ id: 'ntf_3', kind: 'approval', status: 'unread', at: minutesAgo(2), approvalId: 'appr-1' },
        ...{ title: 'Client manager asks to call mail_send', text: 'Invoice 2417' },
      },
      {
        ...{ id: 'ntf_2', kind: 'reminder', status: 'unread', at: minutesAgo(40), reminderId: 'rem_0' },
        ...{ title: 'Late reminder', text: 'Ask Ada Ray for the second proof', lateSince: minutesAgo(400) },
      },
      {
        ...{
          id: 'ntf_1',
          kind: 'failure',
          status: 'read',
          at: minutesAgo(1500),
          emailId: 'mail-failed',
          runId: 'run-failed',
        },
        ...{ title: 'Client manager: run failed', text: '返品の手続きについて\nMODEL_REFUSED: the model refused' },
      },
    ],
    reminders: [
      {
        ...{ id: 'rem_1', status: 'open', dueAt: '2099-11-25T13:00:00.000Z', createdAt: minutesAgo(5) },
        ...{ text: 'Send the invoice again if Ada Ray has not paid', timeZone: 'Europe/Berlin' },
        ...{ startsRunOf: 'client-manager', emailId: 'mail-invoice' },
      },
    ],
    config: {
      revision: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
      root: '/home/jane/desk',
      problems: [],
      documents: (
        [
          ['settings', 'settings'],
          ['api', 'main'],
          ['api', 'offline'],
          ['account', 'support'],
          ['filter', 'clients'],
          ['filter', 'urgent'],
          ['director', 'client-manager'],
          ['agent', 'psychologist'],
          ['agent', 'responder'],
          ['prompt', 'house-style'],
        ] as const
      ).map(([kind, id]) => ({
        kind,
        id,
        file: kind === 'settings' ? 'config/settings.yaml' : `config/${kind}s/${id}.yaml`,
        hash: 'f'.repeat(64),
        state: 'live',
      })),
    },
    accounts: [{ accountId: 'support', state: 'idle', unreadable: [], taken: 5 }],
    connections: [{ accountId: 'support', provider: 'folder', email: 'support@example.org', state: 'ready' }],
    trial: {
      mail: { subject: 'Our November newsletter', from: 'news@garden.example', accountId: 'support' },
      directors: [],
      passedOver: [],
      agents: {},
      results: [
        {
          filterId: 'clients',
          matched: false,
          verdict: {
            kind: 'allOf',
            matched: false,
            parts: [
              { kind: 'field', field: 'From', regex: '@example\\.org$', matched: false },
              { kind: 'field', field: 'Subject', regex: '(?i)newsletter', matched: true, value: 'newsletter' },
            ],
          },
        },
        { filterId: 'urgent', matched: false, skipped: 'account' },
      ],
    },
    fullReplies: undefined,
    probe: { ok: true },
    traces: makeTraces(),
    proposals: makeProposals(),
    version: '1',
  };
  const agent = (id: string, name: string) => ({
    director: { id: 'client-manager', name: 'Client manager' },
    agent: { id, name },
    createdBy: 'agent' as const,
  });
  addRun(world, 'mail-invoice', 'run-invoice', [
    makeItem('item-mood', {
      label: 'Mood note',
      data: '**Calm, a little tired.** She states facts and asks for one thing.\n\n- tone: polite\n- urgency: low',
      context: agent('psychologist', 'Psychologist'),
    }),
    makeItem('item-draft', { label: 'Reply draft', data: DRAFT, revision: 2, tags: ['reply'] }),
    makeItem('item-facts', {
      label: 'Facts',
      mimeType: 'application/json',
      data: '{"invoice":4411,"lines":[{"name":"cable","count":2}],"total":129.8}',
    }),
    makeItem('item-dot', { label: 'Chart', mimeType: 'image/png', encoding: 'base64', data: PNG }),
    makeItem('item-ics', {
      label: 'Meeting',
      mimeType: 'text/calendar',
      data: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;LANGUAGE=en:Call\\, with A\n da',
    }),
    makeItem('item-zip', {
      label: 'Bundle',
      mimeType: 'application/zip',
      encoding: 'base64',
      data: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
    }),
  ]);
  addRun(
    world,
    'mail-urgent',
    'run-urgent',
    [makeItem('item-note', { label: 'Mood note', context: agent('psychologist', 'Psychologist') })],
    {
      status: 'waiting',
      waitingFor: 'approval',
      scripted: false,
      apis: [{ id: 'main', provider: 'openai', model: 'gpt-5.2-mini' }],
    },
  );
  addRun(
    world,
    'mail-meeting',
    'run-meeting',
    [
      makeItem('item-html', {
        label: 'Formatted reply',
        mimeType: 'text/html',
        data: '<h1>Hallo</h1><p>Dienstag passt.</p>',
      }),
    ],
    { status: 'running' },
  );
  addRun(world, 'mail-failed', 'run-failed', [], {
    status: 'failed',
    scripted: false,
    error: {
      code: 'MODEL_RATE_LIMIT',
      message: 'the provider refused 5 times: too many requests',
      hint: 'Wait a minute and replay the run, or name a fallback api.',
    },
  });
  world.threads.set('thread-run-invoice', {
    ...THREAD,
    id: 'thread-run-invoice',
    kind: 'director',
    status: 'completed',
    messages: [
      { role: 'system', content: 'You are the client manager. Have the mood judged, then a reply drafted.' },
      { role: 'user', content: 'From: Ada Ray <ray@example.org>\nSubject: Invoice 4411 lists the cable twice' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'agent__psychologist', arguments: '{"input":"How does the writer feel?"}' },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: '{"sessionId":"thread-psy","output":"calm","toolCalls":[],"done":true}',
      },
      {
        role: 'assistant',
        content: 'Now the reply.',
        tool_calls: [
          { id: 'c2', type: 'function', function: { name: 'workspace_get_item', arguments: '{"id":"nope"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: '{"error":{"code":"ITEM_NOT_FOUND","message":"no item nope"}}' },
      { role: 'assistant', content: 'The mood note and a reply draft are in the workspace.' },
    ],
  });
  world.threads.set('thread-psy', {
    ...THREAD,
    id: 'thread-psy',
    kind: 'agent',
    agentId: 'psychologist',
    status: 'completed',
    messages: [
      { role: 'user', content: 'How does the writer feel?' },
      { role: 'assistant', content: 'Calm.' },
    ],
  });
  world.approvals.push(makeApproval());
  return world;
}
