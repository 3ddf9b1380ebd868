import type { ObjectiveView } from '../../../ui/http/api-types.ts';
import { minutesAgo } from './fixtures.ts';

/** An objective that waits for a reply on the thread of the invoice. */
export function makeObjective(id: string, over: Partial<ObjectiveView> = {}): ObjectiveView {
  return {
    id,
    directorId: 'autopilot',
    userQuery: 'Get the corrected invoice 4411 from Ada Ray',
    subject: 'Invoice 4411 lists the cable twice',
    status: 'waiting',
    waitingFor: 'reply',
    paused: false,
    outcome: null,
    threads: [{ accountId: 'support', threadId: 'mail-invoice', linkedAt: minutesAgo(3000) }],
    linkedThreadIds: ['mail-invoice'],
    silentRecipients: ['ray@example.org'],
    summary: 'Ada Ray was asked for a corrected invoice on Monday.\nShe has not answered yet.',
    constraints: { deadline: '2026-11-30', topics: ['invoice', 'cable'] },
    history: [
      { at: minutesAgo(3000), kind: 'begin', text: 'The user asked: Get the corrected invoice 4411 from Ada Ray' },
      { at: minutesAgo(2999), kind: 'intake', text: 'Read the thread and summed it up.' },
      { at: minutesAgo(2998), kind: 'action', text: 'Wrote a draft to ray@example.org.' },
      { at: minutesAgo(1500), kind: 'wake', text: 'The user sent the draft.' },
    ],
    lastActionTime: minutesAgo(2998),
    followUp: { nextAt: '2099-11-25T08:00:00.000Z', sent: 1, max: 3 },
    wakes: 3,
    draft: null,
    question: null,
    cost: 0.0213,
    createdAt: minutesAgo(3000),
    updatedAt: minutesAgo(1500),
    ...over,
  };
}

/** One objective of each status, and three that wait. */
export function makeObjectives(): ObjectiveView[] {
  return [
    makeObjective('obj-reply'),
    makeObjective('obj-draft', {
      ...{ userQuery: 'Move the meeting with Marta to Thursday', waitingFor: 'draft', cost: 0.4 },
      subject: 'Besprechung am Dienstag verschieben?',
      draft: {
        ...{ accountId: 'support', threadId: 'mail-meeting', messageId: '<d@example.com>', ref: 'draft-1' },
        ...{ to: ['marta@example.es'], at: minutesAgo(40), isFollowUp: false },
        text: 'Dear Marta,\n\nwould Thursday at 10 suit you as well?',
      },
      followUp: { nextAt: null, sent: 0, max: 3 },
    }),
    // It has the id of its run, whose question is in the list of approvals where a test puts one.
    makeObjective('run-urgent', {
      ...{ userQuery: '', proposal: 'Answer Jonas Feld today', waitingFor: 'answer', cost: null },
      ...{ subject: 'URGENT: production line has stopped', question: 'Do you want me to answer Jonas Feld?' },
      ...{ threads: [], linkedThreadIds: [], summary: null, constraints: {}, silentRecipients: [] },
    }),
    makeObjective('obj-pending', { userQuery: 'Find a plumber', subject: '', status: 'pending', waitingFor: null }),
    makeObjective('obj-working', {
      ...{ userQuery: 'Book a room for the fair', subject: '', status: 'in_progress', waitingFor: null },
      paused: true,
    }),
    makeObjective('obj-done', {
      ...{ userQuery: 'Ask three printers for offers', status: 'done', waitingFor: null, outcome: 'reached' },
      follows: 'obj-error',
    }),
    makeObjective('obj-error', {
      ...{ userQuery: 'Cancel the old contract', status: 'error', waitingFor: null },
      error: { code: 'LIMIT_BUDGET', message: 'the objective reached maxCost', hint: 'Raise maxCost, then retry.' },
    }),
  ];
}
