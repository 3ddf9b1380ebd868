import type { Agenda } from '../../agenda/agenda.ts';
import { sha256 } from '../../base/json.ts';
import type { Account } from '../../config/config.ts';
import type { Notebooks } from '../../file/notebook/notebooks.ts';
import type { FileOperation } from '../../config/permissions.ts';
import type { MailService } from '../../mail/send/mail-service.ts';
import { recipientsOf } from '../../mail/send/reply.ts';
import type { Reader } from '../../store/store.ts';
import type { Caller } from '../tool.ts';
import { ownerOf } from './account-arguments.ts';
import {
  accountOf,
  type MailArguments,
  outgoingFiles,
  storedRequestOf,
  type WriteArguments,
} from './mail-arguments.ts';
import { type FileArguments, namedFile } from './notebook-arguments.ts';

/** What `binding` of a tool returns: see `WorldTool`. */
type Binding = Promise<Readonly<Record<string, unknown>>>;

/**
 * What a mail contains beside its arguments: account, signature of the config, recipients and quotation of an answer, files. A mail
 * that was never fetched is bound by its name in the account, since reading it would ask the provider.
 */
export async function letterBinding(
  mailService: MailService,
  { attachments, ...args }: WriteArguments,
  caller: Caller,
  reader: Reader,
): Binding {
  const files = await outgoingFiles(reader, caller.workspaceId, attachments);
  const bound = { files: files.map(({ name, mimeType, bytes }) => ({ name, mimeType, sha256: sha256(bytes) })) };
  if (args.ref !== undefined) return { ...bound, ...boundAccount(await accountOf(mailService, args, caller)) };
  const { account, original } = await storedRequestOf(mailService, args, caller);
  return {
    ...bound,
    ...boundAccount(account),
    ...(original !== undefined && {
      answers: original.messageId,
      quotes: sha256(JSON.stringify([original.text, original.html])),
      ...recipientsOf(original, [account.email], args.all ?? false),
    }),
  };
}

/** The account of a call on a mail, and the mail. */
export async function mailBinding(mailService: MailService, args: MailArguments, caller: Caller): Binding {
  const emailId = args.ref === undefined ? (args.emailId ?? caller.origin.email?.id) : undefined;
  return { ...boundAccount(await accountOf(mailService, args, caller)), ...(emailId !== undefined && { emailId }) };
}

/** The calendar or list of a call, and the zone of times that have none. */
export async function agendaBinding(
  agenda: Agenda,
  owner: Parameters<typeof ownerOf>[0],
  caller: Caller,
  kind: 'calendar' | 'todo',
): Binding {
  const target = await agenda.target(ownerOf(owner, caller), kind);
  return { target, timeZone: agenda.timeZone() };
}

/** The file of a call. Its content is bound by `seen` of the preview. */
export async function fileBinding(
  notebooks: Notebooks,
  args: FileArguments,
  caller: Caller,
  operation: FileOperation,
): Binding {
  const { root, path } = namedFile(notebooks, args, caller, operation);
  return { folder: root.folder, path };
}

/** What tells one account from another, and what it adds to a mail. Other keys of its document are no matter of a call. */
function boundAccount({ id, provider, email, signature = '' }: Account) {
  return { account: { id, provider, email }, signature };
}
