import type { MailService } from '../../mail/send/mail-service.ts';
import { expectNoGaps, gapsOf } from '../../mail/send/gaps.ts';
import type { ReplyAuthor } from '../../mail/send/sent-replies.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { Caller, WorldTool } from '../tool.ts';

const addresses = (description: string) =>
  ({
    type: 'array',
    items: { type: 'string', minLength: 3, maxLength: 400 },
    maxItems: 50,
    description,
    examples: [['Ann Lee <ann@example.org>']],
  }) as const;

/** Parameters of both tools: the mail to answer, or `to` and `subject` of a new mail. */
const WRITING = {
  accountId: { type: 'string', description: 'Account to write from. Left out: that of the mail of this run.' },
  emailId: { type: 'string', description: 'Mail that is answered, by its id. Left out: the mail of this run.' },
  ref: { type: 'string', description: 'Mail that is answered, as mail_search names it.' },
  text: {
    type: 'string',
    maxLength: 200_000,
    description: 'What to say, as plain text. Signature and the quoted mail are added: leave them out.',
  },
  html: { type: 'string', maxLength: 200_000, description: 'The same as HTML, where plain text is not enough.' },
  all: { type: 'boolean', description: 'true: answer everybody, not the sender alone.' },
  to: addresses('Recipients of a new mail. Left out: an answer is written, to whoever wrote.'),
  subject: { type: 'string', maxLength: 500, description: 'Of a new mail. An answer keeps the one it has.' },
  cc: addresses('More recipients.'),
  bcc: addresses('Recipients that the others do not see.'),
  attachments: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    description: 'Ids of workspace items to attach.',
  },
} as const;

/** The code that writes mail, loaded at the first call. */
const writing = async () => ({
  ...(await import('../../mail/send/mail-service.ts')),
  ...(await import('./mail-arguments.ts')),
});

/** Warns the person who is asked about a mail with gaps. */
async function gapWarnings(args: { readonly text?: string; readonly html?: string }): Promise<readonly string[]> {
  const gaps = await gapsOf(args);
  return gaps.length === 0 ? [] : [`The text has gaps that nobody filled in: ${gaps.join(', ')}.`];
}

/** `mail_draft` and `mail_send`. Before a second attempt both search for the first: its Message-ID follows from the call. */
export function mailWritingTools(mailService: () => MailService): readonly WorldTool[] {
  return [draftTool(mailService), sendTool(mailService)];
}

function draftTool(mailService: () => MailService): WorldTool {
  return defineTool({
    name: 'mail_draft',
    family: 'mail',
    effects: 'write',
    repeat: 'lookup',
    uses: ['draft'],
    description:
      'Writes an answer, or a new mail, into the drafts of the account, for a person to read and send. Nothing is sent.',
    parameters: parameters(WRITING),
    warnings: gapWarnings,
    async run(args, { caller, key, signal }) {
      const { writeRequestOf, draftMail } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const draft = await draftMail(mailService(), request, { key, signal });
      const gaps = await gapsOf(args);
      return { draft, accountId: request.account.id, ...(gaps.length > 0 && { gaps }) };
    },
    async reconcile(args, { caller, key, signal }) {
      const { writeRequestOf, findEarlierDraft } = await writing();
      const { account } = await writeRequestOf(mailService(), args, caller, signal);
      const draft = await findEarlierDraft(mailService(), account, { key, signal });
      return draft && { draft, accountId: account.id };
    },
  });
}

function sendTool(mailService: () => MailService): WorldTool {
  return defineTool({
    name: 'mail_send',
    family: 'mail',
    reach: 'outward',
    effects: 'write',
    repeat: 'lookup',
    // `reconcile` searches sent mail: that needs `read`, which every account has.
    uses: ['send'],
    description:
      'Sends an answer, or a new mail, at once. Automatic, bulk, list and own mail is never answered, and a thread gets a few answers a day at most.',
    parameters: parameters(WRITING),
    warnings: gapWarnings,
    async check(args, caller) {
      // A mail that was never fetched is checked when it is answered.
      if (args.ref !== undefined) return;
      const { writeRequestOf, expectSendable, threadSlotKeyOf } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, undefined);
      await expectSendable(mailService(), request, threadSlotKeyOf(mailService(), request, caller));
    },
    async run(args, { caller, key, signal, isApproved = false, insists }) {
      const { writeRequestOf, threadSlotKeyOf, sendMail } = await writing();
      if (!isApproved) expectNoGaps(await gapsOf(args), 'fill them in, or save a draft with mail_draft for a person');
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const threadKey = threadSlotKeyOf(mailService(), request, caller);
      const sent = await sendMail(mailService(), request, {
        key,
        signal,
        threadKey,
        insists,
        isAutomatic: !isApproved,
        author: authorOf(caller),
      });
      return { sent: true, accountId: request.account.id, ...sent };
    },
    async reconcile(args, { caller, key, signal, insists }) {
      const { writeRequestOf, findEarlierSend } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const options = { key, signal, author: authorOf(caller) };
      const sent = await findEarlierSend(mailService(), request, options).catch((error: unknown) => {
        signal?.throwIfAborted();
        // A person knows that the mail may have been sent, and wants to send it anyway.
        if (insists === true) return undefined;
        throw error;
      });
      return sent && { sent: true, accountId: request.account.id, ...sent };
    },
  });
}

function authorOf({ origin: { director, agent }, runId }: Caller): ReplyAuthor {
  return {
    by: agent === undefined ? 'director' : 'agent',
    ...(director.id !== '' && { director }),
    ...(agent !== undefined && { agent }),
    runId,
  };
}
