import { PREVIEW_TYPE } from '../../../engine/src/tool/preview.ts';
import type { ApprovalView, Preview } from '../../../ui/http/api-types.ts';
import { minutesAgo } from './fixtures.ts';

type Mail = Extract<Preview, { kind: 'mail' }>;

/** A preview as the server sends it. */
export const previewOf = (preview: Preview): ApprovalView['preview'] => ({
  mimeType: PREVIEW_TYPE,
  data: JSON.stringify(preview),
});

/** The preview of a reply to a mail, with these parts. */
export function mailPreview({
  to = ['Jonas Feld <feld@example.net>'],
  cc = [],
  subject = 'Re: URGENT: production line has stopped',
  ...more
}: Partial<Mail> & { to?: string[]; cc?: string[]; subject?: string } = {}): ApprovalView['preview'] {
  const headers = [
    { name: 'From', values: ['support@example.com'] },
    { name: 'To', values: to },
    { name: 'Cc', values: cc },
    { name: 'Subject', values: [subject] },
    { name: 'In-Reply-To', values: ['<mail-urgent@example.org>'] },
  ].filter(({ values }) => values.length > 0);
  const text =
    'Dear Mr Feld,\n\na technician is on the way.\n\nClient service\nExample Ltd.\n\nOn 2026-11-21, 09:00 UTC, Jonas Feld <feld@example.net> wrote:\n> The line has stopped. Please help.\n';
  return previewOf({ kind: 'mail', action: 'send', accountId: 'support', headers, text, attachments: [], ...more });
}

/** A call of `mail_send` that waits. */
export function makeApproval(over: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: 'approval-1',
    runId: 'run-urgent',
    threadId: 'thread-run-urgent',
    callId: 'c9',
    place: { threadId: 'thread-run-urgent', message: 3 },
    tool: 'mail_send',
    title: { action: 'Send an e-mail', target: 'Jonas Feld <feld@example.net>' },
    arguments: { text: 'Dear Mr Feld,\n\na technician is on the way.\n\nClient service' },
    email: {
      id: 'mail-urgent',
      subject: 'URGENT: production line has stopped',
      from: 'Jonas Feld <feld@example.net>',
      date: minutesAgo(9),
    },
    preview: mailPreview(),
    requestedBy: { directorId: 'client-manager', agentId: 'responder' },
    reason: 'director client-manager: permissions.ask has "mail_send"',
    status: 'pending',
    canRemember: ['run', 'always'],
    createdAt: minutesAgo(8),
    ...over,
  };
}

/** A question of the run on the urgent mail. */
export function makeQuestion(over: Partial<ApprovalView> = {}): ApprovalView {
  const question =
    'Jonas Feld asks when a technician can come.\nWhich day suits you? Somebody has to be there for about two hours.';
  return makeApproval({
    ...{ id: 'question-1', kind: 'question', tool: 'ask_user', reason: 'it needs your answer' },
    arguments: { question, choices: ['Monday at ten', 'Tuesday at two', 'Neither'] },
    preview: { mimeType: 'text/plain', data: question },
    requestedBy: { directorId: 'client-manager' },
    title: { action: 'Answer a question', target: question },
    ...over,
  });
}
