import type { ChangedSides, ComparisonView, PlayedSide, ShadowView } from '../../../ui/http/api-types.ts';
import { minutesAgo } from '../fake/fixtures.ts';

const WORDS = [
  { text: 'Dear Ms Ray, thank you for your mail. ', state: 'same' },
  { text: 'We have sent the cable back.', state: 'removed' },
  { text: 'The cable is on its way to you.', state: 'added' },
] as const;

const BEFORE: PlayedSide = {
  ...{ directorId: 'client-manager', status: 'completed', answer: 'The client is answered.' },
  calls: [
    {
      ...{ agentId: '', tool: 'agent__responder', arguments: '{\n  "input": "Answer the client."\n}', state: 'done' },
      ...{ effects: 'none', asked: false },
    },
    {
      ...{ agentId: 'responder', tool: 'mail_send', arguments: '{\n  "to": "ray@example.org"\n}', state: 'done' },
      ...{ effects: 'write', asked: true },
    },
  ],
  items: [
    {
      ...{ label: 'Reply draft', mimeType: 'text/markdown', agentId: 'responder' },
      data: 'Dear Ms Ray, thank you for your mail. We have sent the cable back.',
    },
  ],
  ...{ turns: 3, ownTurns: 2, inputTokens: 2100, outputTokens: 310, cost: 0.0041, durationMs: 4100 },
};

const AFTER: PlayedSide = {
  ...BEFORE,
  calls: BEFORE.calls.map((call) => ({ ...call, asked: false })),
  items: BEFORE.items.map((item) => ({
    ...item,
    data: 'Dear Ms Ray, thank you for your mail. The cable is on its way to you.',
  })),
  ...{ turns: 4, cost: 0.0052 },
};

/** What the comparison has of each mail and run that changed. */
export const ENTRIES: readonly ChangedSides[] = [
  {
    ...{ name: 'mail-invoice', subject: 'Invoice 4411: you charged me for the cable twice' },
    differences: [
      {
        ...{ kind: 'routing', text: 'went to client-manager, now to client-manager, bookkeeper' },
        ...{ before: ['client-manager'], after: ['client-manager', 'bookkeeper'] },
      },
    ],
  },
  {
    ...{
      name: 'run-invoice',
      subject: 'Invoice 4411: you charged me for the cable twice',
      directorId: 'client-manager',
    },
    differences: [
      { kind: 'permissions', text: 'mail_send of agent responder no longer asks a person', loosens: true },
      { kind: 'drafts', text: 'the item "Reply draft" has other words', words: WORDS },
      { kind: 'turns', text: '3 turns, now 4' },
      { kind: 'cost', text: 'cost $0.0041, now $0.0052' },
    ],
    ...{ before: BEFORE, after: AFTER },
  },
];

const REPORT = {
  against: 'warmer-replies',
  tiers: [
    { tier: 'routing', total: 50, changed: 1, missed: 0, tookMs: 210 },
    { tier: 'recorded', total: 41, changed: 1, missed: 0, tookMs: 3400 },
  ],
  summary: [
    '1 of 50 mails is routed differently.',
    '1 call no longer ask a person.',
    '1 run would write other words.',
    '1 run would take other turns or cost.',
  ],
  warnings: ['mail_send of agent responder runs without asking now; it was "ask"'],
  changed: ENTRIES.map(({ before: _before, after: _after, differences, ...entry }, n) => ({
    ...{ ...entry, tier: n === 0 ? ('routing' as const) : ('recorded' as const) },
    differences: differences.map(({ kind, text, loosens }) => ({ kind, text, ...(loosens && { loosens }) })),
  })),
  leftOut: [
    {
      name: 'run_01m8gff16m00008na8he37',
      why: 'it goes on with a conversation, whose earlier messages are another run',
    },
  ],
} satisfies ShadowView['report'];

/** `GET /api/changes`. */
export const COMPARISON: ComparisonView = {
  job: { status: 'done', against: 'warmer-replies', limit: 50, startedAt: minutesAgo(3) },
  report: { ...REPORT, problems: [] },
};

/** `GET /api/shadow`. */
export const SHADOW: ShadowView = {
  shadow: {
    ...{ id: 'shadow_1', ref: 'next', commit: '0dd88a17c0ffee', percent: 10, maxCostPerDay: 2 },
    ...{ startedAt: minutesAgo(600), warnings: [], spentToday: 0.12, mails: 12, isFull: false },
  },
  report: {
    ...{ against: 'next (0dd88a17)', warnings: [], leftOut: [], summary: ['1 run would write other words.'] },
    tiers: [
      { tier: 'routing', total: 12, changed: 0, missed: 0, tookMs: 0 },
      { tier: 'live', total: 12, changed: 1, missed: 0, tookMs: 9000, cost: 0.12 },
    ],
    changed: [
      {
        ...{ tier: 'live', name: 'run-urgent', subject: 'URGENT: the router is down', directorId: 'client-manager' },
        differences: [{ kind: 'drafts', text: 'the final answer has other words', words: WORDS }],
      },
    ],
  },
};
