import { canonicalJson, sha256 } from '../../../base/json.ts';
import { EngineError, errorBody } from '../../../base/error.ts';
import type { Account } from '../../../config/config.ts';
import type { Address, Mail } from '../../../mail/mail.ts';
import type { OutgoingFile } from '../../../mail/mailbox.ts';
import { expectNoGaps, gapsOf } from '../../../mail/send/gaps.ts';
import type { WriteRequest } from '../../../mail/send/mail-service.ts';
import type { LetterInput } from '../../../mail/send/reply.ts';
import { usedItem } from '../../../run/item-edit.ts';
import { recordOf } from '../../../run/run.ts';
import type { Reader } from '../../../store/store.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { readItem } from '../../../workspace/items.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { queryFlag } from '../../http/query.ts';
import { flag, oneOf, optional, readBody, text, texts } from '../../http/body.ts';

const INPUT = {
  mode: oneOf('draft', 'send', 'check'),
  text: optional(text),
  html: optional(text),
  markdown: optional(text),
  all: optional(flag),
  to: optional(texts),
  subject: optional(text),
  cc: optional(texts),
  bcc: optional(texts),
  attachments: optional(texts),
  id: optional(text),
  allowGaps: optional(flag),
  draftOf: optional(text),
};

/** Result of a reply; `note` names a step that failed after the mail was sent. */
interface Replied {
  readonly mode: 'draft' | 'send';
  readonly accountId: string;
  readonly messageId: string;
  readonly ref?: string;
  readonly note?: string;
  /** In a draft: gaps such as `[time]` that are left in its text. */
  readonly gaps?: readonly string[];
}

/** What the reply to a mail begins with. */
export interface ReplyProposal {
  readonly accountId: string;
  readonly from: string;
  /** Addresses as `POST` takes them: `Ada Ray <ada@example.org>`. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** The signature in the config of the account. Without it the provider may have one. */
  readonly signature?: string;
}

/** Largest number of runs of a mail whose workspaces are searched for attachments. */
const MAX_RUNS = 200;

/**
 * `POST /api/emails/:id/reply`: a person's reply to a mail, in `text`, `html` or `markdown`, as a draft or sent at once. Requests
 * with the same `Idempotency-Key` (or `id` in the body) take effect once. A person may reply to any mail; limits do not apply.
 * `to` and `subject` replace those of the reply. `GET` answers what a reply begins with (`ReplyProposal`).
 * With `draftOf`, the id of an item of this mail, the run keeps how the text differs from that item. A text with gaps such as `[time]` is sent only with `allowGaps` (`REPLY_HAS_GAPS`).
 */
export const replyRoutes: AddRoutes = (router, services) => {
  router.get('/emails/:id/reply', async (ctx) => {
    ctx.body = await proposal(services, ctx);
  });
  const underWay = new Map<string, Promise<Replied>>();
  router.post('/emails/:id/reply', async (ctx) => {
    const { id: own, mode, attachments, allowGaps = false, draftOf, to, subject, ...rest } = readBody(ctx, INPUT);
    const said = { ...rest, ...((to ?? subject) !== undefined && { instead: { to, subject } }) };
    const gaps = await gapsOf(said.markdown === undefined ? said : { text: said.markdown });
    if (mode !== 'draft' && !allowGaps) expectNoGaps(gaps, 'fill them in, or send it with "allowGaps": true');
    const writing = await written(services, said);
    const mailId = String(ctx.params['id']);
    const key = keyOf(ctx, own);
    const { original, account } = await answered(services, mailId);
    const files = await attachmentsOf(services.deps.store, mailId, attachments ?? []);
    const request: WriteRequest = { account, writing, original, attachments: files };
    if (mode === 'check') {
      ctx.body = await checked(services, request);
      return;
    }
    const fingerprint = sha256(canonicalJson({ mailId, mode, writing, attachments: attachments ?? [] }));
    const name = `reply/${mailId}/${mode}/${key ?? services.deps.ids.next('reply')}`;
    const same = `${name}/${fingerprint}`;
    const work =
      underWay.get(same) ?? reply(services, request, { mode, name, fingerprint, isRepeatable: key !== undefined });
    underWay.set(same, work);
    const replied = await work.finally(() => underWay.delete(same));
    const sentText = said.markdown ?? said.text;
    if (draftOf !== undefined && sentText !== undefined) await noteUse(services, mailId, draftOf, sentText);
    ctx.body = { ...replied, ...(mode === 'draft' && gaps.length > 0 && { gaps }) };
  });
};

/** The mail that is answered, and the account that received it. `NOT_FOUND`. */
export async function answered(
  { mailService }: Pick<Services, 'mailService'>,
  mailId: string,
): Promise<{ original: Mail; account: Account }> {
  const { readStoredMail } = await import('../../../mail/send/mail-service.ts');
  const { providerId: _id, ...original } = await readStoredMail(mailService, mailId);
  const account = mailService.config().accounts.get(original.accountId);
  if (account !== undefined) return { original, account };
  throw new EngineError('NOT_FOUND', `the config has no account "${original.accountId}", which received this mail`, {
    hint: 'restore its file, or enable it',
  });
}

/** What a reply would have if the person changes nothing: `GET /api/emails/:id/reply?all=`. */
async function proposal(services: Services, ctx: RouteContext): Promise<ReplyProposal> {
  const { original, account } = await answered(services, String(ctx.params['id']));
  const { recipientsOf, replySubject } = await import('../../../mail/send/reply.ts');
  const { to, cc } = recipientsOf(original, [account.email], queryFlag(ctx, 'all') ?? false);
  const shown = ({ name, address }: Address) => (name === '' ? address : `${quoted(name)} <${address}>`);
  return {
    ...{ accountId: account.id, from: account.email, to: to.map(shown), cc: cc.map(shown) },
    subject: replySubject(original.subject),
    ...(account.signature !== undefined && { signature: account.signature }),
  };
}

/** A display name as an address field needs it (RFC 5322 3.2.4). */
function quoted(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return /^[\p{L}\p{N} _-]*$/u.test(line) ? line : `"${line.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Markdown is sent as text, and rendered as HTML. */
async function written(
  { mail }: Services,
  { markdown, ...said }: LetterInput & { readonly markdown: string | undefined },
): Promise<LetterInput> {
  if (markdown === undefined) return said;
  if (said.text !== undefined || said.html !== undefined)
    throw new EngineError('BAD_REQUEST', '"markdown" replaces "text" and "html"', { hint: 'send "markdown" alone' });
  return { ...said, text: markdown, html: await mail.markdown(markdown) };
}

/** The reply as it would be sent now. Sends nothing. */
async function checked({ mailService }: Services, request: WriteRequest) {
  const { writeLetter } = await import('../../../mail/send/mail-service.ts');
  const { to, cc, bcc, subject, text: whole } = await writeLetter(mailService, request, {});
  return { mode: 'check', accountId: request.account.id, to, cc, bcc, subject, text: whole };
}

interface ReplyOptions {
  readonly mode: 'draft' | 'send';
  readonly name: string;
  readonly fingerprint: string;
  readonly isRepeatable: boolean;
}

/** Keeps how the text differs from the item that it was made from. The mail has left: an error is logged, not thrown. */
async function noteUse({ deps }: Services, mailId: string, itemId: string, sentText: string): Promise<void> {
  try {
    const item = await itemIn(deps.store, await workspacesOf(deps.store, mailId), itemId);
    await deps.store.apply(await usedItem(deps.store, item, sentText, deps.clock.now()));
  } catch (error) {
    deps.log.warn('the change of a draft before it was used could not be kept', { item: itemId, ...errorBody(error) });
  }
}

/** Completes even if the client disconnects. */
async function reply(
  { mailService }: Services,
  request: WriteRequest,
  { mode, name, fingerprint, isRepeatable }: ReplyOptions,
): Promise<Replied> {
  // Loaded on first use: most processes send no mail.
  const { findEarlierDraft, draftMail, sendMail } = await import('../../../mail/send/mail-service.ts');
  const accountId = request.account.id;
  if (mode === 'send')
    return {
      mode,
      accountId,
      ...(await sendMail(mailService, request, { key: name, fingerprint, author: { by: 'user' } })),
    };
  // The store has no record of drafts: another text under the same key is another draft.
  const key = `${name}/${fingerprint}`;
  const before = isRepeatable ? await findEarlierDraft(mailService, request.account, { key }) : undefined;
  return { mode, accountId, ...(before ?? (await draftMail(mailService, request, { key }))) };
}

function keyOf(ctx: RouteContext, own: string | undefined): string | undefined {
  const header = ctx.get('Idempotency-Key').replace(/^"(.*)"$/, '$1');
  const key = header === '' ? own : header;
  if (key === undefined) return undefined;
  if (own !== undefined && header !== '' && own !== header)
    throw new EngineError('BAD_REQUEST', '"id" and Idempotency-Key differ', { hint: 'send one of them' });
  if (/^[!-~]{1,200}$/.test(key)) return key;
  throw new EngineError('BAD_REQUEST', 'an idempotency key must have 1 to 200 visible ASCII characters', {
    hint: 'use a UUID',
  });
}

/** Reads items of the workspaces of a mail as attachments. `ITEM_NOT_FOUND`. */
async function attachmentsOf(reader: Reader, mailId: string, ids: readonly string[]): Promise<readonly OutgoingFile[]> {
  if (ids.length === 0) return [];
  const { outgoingFileOf } = await import('../../../tool/family/mail-arguments.ts');
  const workspaces = await workspacesOf(reader, mailId);
  return Promise.all(ids.map(async (id) => outgoingFileOf(await itemIn(reader, workspaces, id))));
}

/** The workspaces of a mail, the newest first. */
async function workspacesOf(reader: Reader, mailId: string): Promise<readonly string[]> {
  const rows = await reader.list('run', { where: [['mail', '=', mailId]], order: [['id', 'desc']], limit: MAX_RUNS });
  return [...new Set(rows.map((row) => recordOf(row).run.workspaceId))];
}

async function itemIn(reader: Reader, workspaces: readonly string[], id: string): Promise<WorkspaceItem> {
  for (const workspace of workspaces) {
    const row = await reader.get('item', { workspace, id });
    if (row !== undefined) return readItem(reader, workspace, id);
  }
  throw new EngineError('ITEM_NOT_FOUND', `this mail has no item "${id.slice(0, 100)}"`);
}
