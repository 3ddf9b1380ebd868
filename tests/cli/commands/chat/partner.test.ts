import { expect, test } from 'vitest';
import type { ApiClient } from '../../../../engine/src/cli/client.ts';
import { findPartner } from '../../../../engine/src/cli/commands/chat/partner.ts';
import type { Run } from '../../../../engine/src/run/run.ts';

const runOf = (more: Partial<Run>) => ({ id: 'run_1', conversationId: 'conv_1', status: 'waiting', ...more }) as Run;

/** A server that has a director and answers every message with the same run; `seen` has the messages. */
function server() {
  const seen: [string, unknown][] = [];
  const client: ApiClient = {
    isLive: true,
    events: async () => {},
    async request<T>(method: string, path: string, options?: { body?: unknown }): Promise<T> {
      if (method === 'POST') seen.push([path, options?.body]);
      return (method === 'POST' ? runOf({}) : { id: 'desk', name: 'Desk' }) as T;
    },
  };
  return { client, seen };
}

test('a message goes to the run that waits for a reply, and begins a run where none does', async () => {
  const { client, seen } = server();
  const partner = await findPartner(client, 'desk', {});
  partner.answered(await partner.send('first'));
  partner.answered(runOf({ waitingFor: 'reply' }));
  await partner.send('more words');
  partner.answered(runOf({ status: 'completed' }));
  await partner.send('next');
  partner.reset();
  await partner.send('anew');
  expect(seen).toEqual([
    ['/api/runs', { directorId: 'desk', message: 'first' }],
    ['/api/runs/run_1/message', { message: 'more words' }],
    ['/api/runs', { directorId: 'desk', message: 'next', conversationId: 'conv_1' }],
    ['/api/runs', { directorId: 'desk', message: 'anew' }],
  ]);
  expect(partner.resume()).toBe('desk --conversation conv_1');
});

test('files go with a question, and not with words to a run that waits', async () => {
  const { client, seen } = server();
  const partner = await findPartner(client, 'desk', {});
  await partner.send('first', ['upl_1']);
  expect(seen).toEqual([['/api/runs', { directorId: 'desk', message: 'first', attachments: ['upl_1'] }]]);
  partner.answered(runOf({ waitingFor: 'reply' }));
  await expect(partner.send('more', ['upl_2'])).rejects.toMatchObject({ code: 'USAGE' });
});
