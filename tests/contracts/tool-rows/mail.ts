import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeMail } from '../tool-stage.ts';
import type { FamilyRows, ToolRow } from '../tool.ts';
import type { Stage } from '../../run/harness.ts';

const filesIn =
  (name: string) =>
  ({ root }: Stage) =>
    existsSync(join(root, name)) ? readdirSync(join(root, name)).length : 0;
const emailId = async ({ app }: Stage) => ({ emailId: (await app.deps.store.list('mail'))[0]?.id });
const reads = (args: ToolRow['args']): ToolRow => ({ effects: 'read', reach: 'private', repeat: 'free', args });
const NEW = { accountId: 'inbox', to: ['Ann Lee <ann@example.org>'], subject: 'Proofs', text: 'Here they are.' };

let made = 0;
/** A mail of its own for each call. */
const another = async (stage: Stage) => ({ emailId: (await takeMail(stage, `m${++made}`)).id });

export const rows: FamilyRows = {
  tools: {
    mail_search: reads({ accountId: 'inbox', subject: 'wait' }),
    mail_read: reads(emailId),
    mail_draft: { effects: 'write', repeat: 'lookup', args: NEW, count: filesIn('drafts') },
    mail_send: { effects: 'write', reach: 'outward', repeat: 'lookup', args: NEW, count: filesIn('outbox') },
    mail_label: {
      effects: 'write',
      repeat: 'key',
      args: async (stage) => ({ ...(await another(stage)), add: ['proofs'] }),
      count: filesIn('inbox/.labels'),
    },
    mail_archive: { effects: 'write', repeat: 'key', args: another, count: filesIn('archive') },
  },
};
