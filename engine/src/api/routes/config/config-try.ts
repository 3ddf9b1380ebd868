import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { readContent, readMailRow, mailOf } from '../../../mail/mail-store.ts';
import type { RoutingDecision } from '../../../filter/filter.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { oneOf, optional, readBody, text } from '../../http/body.ts';

/** The routing of a mail, with the reasons. */
export interface RoutingTrial extends RoutingDecision {
  readonly mail: { readonly subject: string; readonly from: string; readonly accountId: string };
  /** The agents of each director. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
}

/**
 * `POST /api/config/try { emailId }`, or `{ raw, encoding?: base64, accountId? }` for a mail that is not stored:
 * which filters, directors and agents would get it. Stores nothing.
 */
export const configTryRoutes: AddRoutes = (router, services) => {
  router.post('/config/try', async (ctx) => {
    const body = readBody(ctx, {
      emailId: optional(text),
      raw: optional(text),
      encoding: optional(oneOf('utf8', 'base64')),
      accountId: optional(text),
    });
    if ((body.emailId === undefined) === (body.raw === undefined))
      throw new EngineError('BAD_REQUEST', 'expected either "emailId" or "raw"');
    const { emailId, raw = '', encoding = 'utf8', accountId } = body;
    const subject =
      emailId === undefined
        ? await parseRaw(services, Buffer.from(raw, encoding), accountId)
        : await readSubject(services, emailId);
    ctx.body = await tryMail(services, subject);
  });
};

async function tryMail({ decideRouting, deps }: Services, { json, mail }: Subject): Promise<RoutingTrial> {
  const config = deps.config.current();
  const decision = await decideRouting(json, config);
  const agents = decision.directors.map(({ directorId }) => [
    directorId,
    config.directors.get(directorId)?.agents ?? [],
  ]);
  return { mail, ...decision, agents: Object.fromEntries(agents) as RoutingTrial['agents'] };
}

interface Subject {
  readonly json: string;
  readonly mail: RoutingTrial['mail'];
}

async function readSubject({ deps: { store } }: Services, id: string): Promise<Subject> {
  const row = await readMailRow(store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', `no e-mail "${id}"`);
  const { summary } = mailOf(row);
  const { headers, bodyText } = await readContent(store, id);
  const mail = { subject: summary.subject, from: summary.from[0]?.address ?? '', accountId: summary.accountId };
  return { json: JSON.stringify({ mail: summary, headers, bodyText }), mail };
}

async function parseRaw({ deps, mail: workers }: Services, raw: Buffer, accountId?: string): Promise<Subject> {
  const { accounts } = deps.config.current();
  const account = accountId === undefined ? [...accounts.values()][0] : accounts.get(accountId);
  if (account === undefined && accountId !== undefined)
    throw new EngineError('BAD_REQUEST', `no account "${accountId}"`, {
      hint: `accounts: ${[...accounts.keys()].join(', ') || 'none'}`,
    });
  const facts = {
    id: 'mail_try',
    accountId: account?.id ?? '',
    ownAddresses: account === undefined ? [] : [account.email],
    receivedAt: isoTime(deps.clock.now()),
    labels: [],
    readsLabelHeaders: true,
  };
  const parsed = await workers.parse({ kind: 'bytes', bytes: new Uint8Array(raw) }, facts);
  return {
    json: parsed.subject,
    mail: { subject: parsed.facts.subject, from: parsed.facts.from, accountId: facts.accountId },
  };
}
