import type { ItemHistory } from '../../../ui/http/api-types.ts';
import { minutesAgo } from './fixtures.ts';

/** The revisions of any result: the third is one of a person, the text of the second is not kept. */
export const HISTORY: ItemHistory = {
  revisions: [
    {
      ...{ revision: 4, at: minutesAgo(4), by: { kind: 'user' }, changed: ['label', 'data'], since: 3 },
      diff: '--- revision 3\n+++ revision 4\n@@ -1,3 +1,3 @@\n-Dear Ms Ray,\n+Dear Ada,\n \n thank you for your message.\n',
    },
    {
      ...{ revision: 3, at: minutesAgo(40), by: { kind: 'agent', name: 'Responder' }, changed: ['data'], since: 1 },
      diff: '--- revision 1\n+++ revision 3\n@@ -1,3 +1,3 @@\n Dear Ms Ray,\n \n-thanks.\n+thank you for your message.\n',
    },
    { revision: 2, at: minutesAgo(50), by: { kind: 'user' }, changed: ['data'] },
    { revision: 1, at: minutesAgo(60), by: { kind: 'agent', name: 'Responder' } },
  ],
  replaces: [{ id: 'item-note', runId: 'run-urgent', created: '2026-11-21T09:00:00.000Z' }],
  replacedBy: [],
};
