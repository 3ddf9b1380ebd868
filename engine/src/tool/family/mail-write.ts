import type { Abortable } from '../../base/abort.ts';
import { errorBody } from '../../base/error.ts';
import type { Account } from '../../config/config.ts';
import type { MailService, WriteRequest } from '../../mail/send/mail-service.ts';
import { expectNoGaps, gapsOf } from '../../mail/send/gaps.ts';
import type { ReplyAuthor } from '../../mail/send/sent-replies.ts';
import type { Reader } from '../../store/store.ts';
import { fileData } from '../../workspace/generated-file.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import { type MailPreview, toolPreview } from '../preview.ts';
import type { Caller, WorldTool } from '../tool.ts';
import type { WriteArguments } from './mail-arguments.ts';

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

const previews = () => import('../preview/mail-preview.ts');

/** Warns the person who is asked about a mail with gaps. */
async function gapWarnings(args: { readonly text?: string; readonly html?: string }): Promise<readonly string[]> {
  const gaps = await gapsOf(args);
  return gaps.length === 0 ? [] : [`The text has gaps that nobody filled in: ${gaps.join(', ')}.`];
}

/** Shows the mail to the person who is asked. */
function previewer(mailService: () => MailService, action: MailPreview['action']) {
  return async (args: WriteArguments, caller: Caller, { signal }: Abortable) => {
    const [{ writeRequestOf }, { markOf, previewMail }] = [await writing(), await previews()];
    const request = await writeRequestOf(mailService(), args, caller, signal);
    const preview = await previewMail(mailService(), action, request, { signal });
    return { ...toolPreview(preview), ...(action === 'send' && { seen: markOf(args, preview) }) };
  };
}

/** Binds an approval to the mail as it would leave. */
function binder(mailService: () => MailService) {
  return async (args: WriteArguments, caller: Caller, reader: Reader) =>
    (await import('./call-binding.ts')).letterBinding(mailService(), args, caller, reader);
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
    trust: 'trusted',
    uses: ['draft'],
    description:
      'Writes an answer, or a new mail, into the drafts of the account, for a person to read and send. Nothing is sent.',
    parameters: parameters(WRITING),
    warnings: gapWarnings,
    preview: previewer(mailService, 'draft'),
    binding: binder(mailService),
    async run(args, { caller, key, signal }) {
      const { writeRequestOf, draftMail } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const draft = await draftMail(mailService(), request, { key, signal });
      const gaps = await gapsOf(args);
      const thread = await newThread(mailService(), request, draft.ref, signal);
      const barred = await barredFrom(request, caller);
      return { draft, accountId: request.account.id, ...thread, ...barred, ...(gaps.length > 0 && { gaps }) };
    },
    async files(args, _result, { caller, key, signal }) {
      const { writeRequestOf, draftFile } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const { subject, mime } = await draftFile(mailService(), request, { key, signal });
      return [{ label: subject, mimeType: 'message/rfc822', ...fileData(mime) }];
    },
    async reconcile(args, { caller, key, signal }) {
      const { writeRequestOf, findEarlierDraft } = await writing();
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const { account } = request;
      const draft = await findEarlierDraft(mailService(), account, { key, signal });
      if (draft === undefined) return undefined;
      const thread = await newThread(mailService(), request, draft.ref, signal);
      return { draft, accountId: account.id, ...thread, ...(await barredFrom(request, caller)) };
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
    trust: 'trusted',
    // `reconcile` searches sent mail: that needs `read`, which every account has.
    uses: ['send'],
    description:
      'Sends an answer, or a new mail, at once. Automatic, bulk, list and own mail is never answered, and a thread gets a few answers a day at most.',
    parameters: parameters({
      ...WRITING,
      draft: {
        type: 'string',
        maxLength: 500,
        description:
          'Message-ID of the draft of this mail, as mail_draft returned it: it is deleted once the mail is sent.',
      },
    }),
    recipients: ['to', 'cc', 'bcc'],
    async actualArguments(args, caller) {
      const { recipientsOfCall } = await writing();
      const recipients = await recipientsOfCall(mailService(), args, caller);
      return recipients && { ...args, ...recipients };
    },
    warnings: gapWarnings,
    preview: previewer(mailService, 'send'),
    binding: binder(mailService),
    async check(args, caller) {
      // A mail that was never fetched is checked when it is answered.
      if (args.ref !== undefined) return;
      const { storedRequestOf, expectSendable, threadSlotKeyOf } = await writing();
      const request = await storedRequestOf(mailService(), args, caller);
      await expectSendable(mailService(), request, threadSlotKeyOf(mailService(), request, caller));
    },
    async run(args, { caller, key, signal, isApproved = false, insists, seen }) {
      const { writeRequestOf, threadSlotKeyOf, sendMail } = await writing();
      if (!isApproved) expectNoGaps(await gapsOf(args), 'fill them in, or save a draft with mail_draft for a person');
      const request = await writeRequestOf(mailService(), args, caller, signal);
      const threadKey = threadSlotKeyOf(mailService(), request, caller);
      const { expectSeen, mailMark } = await previews();
      const sent = await sendMail(mailService(), request, {
        key,
        signal,
        check: (letter) => expectSeen(seen, mailMark(args, { letter, request })),
        threadKey,
        insists,
        isAutomatic: !isApproved,
        author: authorOf(caller),
      });
      await discard(mailService(), request.account, args.draft, signal);
      const thread = await newThread(mailService(), request, sent.ref, signal);
      return { sent: true, accountId: request.account.id, ...thread, ...sent };
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
      if (sent === undefined) return undefined;
      await discard(mailService(), request.account, args.draft, signal);
      const thread = await newThread(mailService(), request, sent.ref, signal);
      return { sent: true, accountId: request.account.id, ...thread, ...sent };
    },
  });
}

/**
 * Why only a person may send a draft, where an objective has written it: it asks nobody to allow what would be refused then. Whether own
 * mail lies in Sent is known only here, where the mailbox is read.
 */
async function barredFrom(request: WriteRequest, { followsUp }: Caller): Promise<{ readonly notSendable?: string }> {
  if (followsUp !== true) return {};
  const { expectAllowed } = await writing();
  try {
    expectAllowed(request);
    return {};
  } catch (error) {
    const { code, message } = errorBody(error);
    if (code !== 'REPLY_LOOP') throw error;
    return { notSendable: message };
  }
}

/** Deletes the draft of a mail that has left. Where that fails, the draft stays: the mail was sent, whatever becomes of it. */
async function discard(
  mailService: MailService,
  account: Account,
  messageId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (messageId === undefined) return;
  const mailbox = await mailService.open(account);
  await mailbox.discardDraft(messageId, { ...(signal !== undefined && { signal }) }).catch(() => {});
}

/**
 * The thread that a new mail began, as its mailbox names it: replies arrive on it. Empty for an answer, and where the mailbox does not
 * say it: the mail is saved or sent, whatever becomes of this.
 */
async function newThread(
  mailService: MailService,
  { account, original }: WriteRequest,
  ref: string | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly threadId?: string }> {
  if (original !== undefined || ref === undefined) return {};
  try {
    const { entry } = await (await mailService.open(account)).read(ref, { signal });
    return entry.threadId === undefined ? {} : { threadId: entry.threadId };
  } catch (error) {
    mailService.log.debug('the thread of a new mail cannot be read', { account: account.id, ...errorBody(error) });
    return {};
  }
}

function authorOf({ origin: { director, agent }, runId }: Caller): ReplyAuthor {
  return {
    by: agent === undefined ? 'director' : 'agent',
    ...(director.id !== '' && { director }),
    ...(agent !== undefined && { agent }),
    runId,
  };
}
