import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { filterQuestion } from '../../filter/filter-question.ts';
import { ingestMail } from '../../intake/intake.ts';
import type { MailParser, MailSummary, ParsedMail } from '../../mail/mail.ts';
import { identityKey, insertMailChange } from '../../mail/mail-store.ts';
import type { PlayedMail, PlayedWorld, Route, Stimulus } from '../../replay/replay.ts';
import { createRun } from '../../run/lifecycle/create.ts';
import { startSession } from '../../run/session/take-message.ts';
import type { Row } from '../../store/store.ts';
import type { App } from '../app.ts';

/** Who writes the messages of a play. */
const BY = 'replay';

/** Stores what a play finds besides its mail. */
export async function storeWorld({ deps: { store } }: App, { mails, memories, toolLists }: PlayedWorld): Promise<void> {
  for (const { summary, content } of mails) {
    const { id, accountId, messageId, threadId } = summary;
    await store.apply(
      insertMailChange(store, {
        ...{ id, accountId, messageId, threadId, identity: identityKey(store, accountId, id) },
        ...{ summary: JSON.stringify(summary), content: JSON.stringify(content) },
        ...{ providerId: id, size: 0, routing: { directors: [], note: '' }, notes: [] },
      }),
    );
  }
  await store.apply([
    ...memories.map((row) => ({ op: 'put', table: 'memory', row: row as unknown as Row<'memory'> }) as const),
    ...toolLists.map((row) => ({ op: 'put', table: 'toolList', row: row as unknown as Row<'toolList'> }) as const),
  ]);
}

/** Starts what a stimulus starts. `route` only for a mail. `NOT_FOUND`; `BAD_REQUEST` where the config has no account; `MAIL_*`. */
export async function startStimulus(
  app: App,
  stimulus: Stimulus,
): Promise<{ readonly runIds: readonly string[]; readonly route?: Route }> {
  const { deps, engine } = app;
  if (stimulus.kind === 'mail') return startMail(app, stimulus.mail, stimulus.directorId);
  const { message } = stimulus;
  const { run, changes } =
    stimulus.kind === 'agent'
      ? await startSession(deps, stimulus.agentId, { content: message, by: BY })
      : await createRun(deps, {
          ...{ config: deps.config.current(), directorId: stimulus.directorId, startedBy: BY },
          trigger: { kind: 'message', message },
        });
  await deps.store.apply(changes);
  engine.queued();
  return { runIds: [run.id] };
}

/** Parses a mail as the account of the config would. `BAD_REQUEST` where the config has no account; `MAIL_*`. */
export async function parseMail(
  workers: MailParser,
  { accounts }: Pick<Snapshot, 'accounts'>,
  { id = 'mail_play', raw, accountId: named, receivedAt = isoTime(0), labels, threadId }: PlayedMail,
): Promise<ParsedMail> {
  const account = named === undefined ? [...accounts.values()][0] : accounts.get(named);
  const accountId = account?.id ?? named;
  if (accountId === undefined)
    throw new EngineError('BAD_REQUEST', 'the config has no account that the mail could come from', {
      hint: 'add a document to config/accounts',
    });
  const ownAddresses = account === undefined ? [] : [account.email];
  const facts = {
    id,
    accountId,
    ownAddresses,
    receivedAt,
    labels: labels ?? [],
    readsLabelHeaders: labels === undefined,
    ...(threadId !== undefined && { threadId }),
  };
  // The worker takes the bytes over.
  return workers.parse({ kind: 'bytes', bytes: Uint8Array.from(raw) }, facts);
}

async function startMail(app: App, mail: PlayedMail, directorId: string | undefined) {
  const { deps, engine, mailWorkers, filterPool } = app;
  const config = deps.config.current();
  if (directorId !== undefined && !config.directors.has(directorId))
    throw new EngineError('NOT_FOUND', `there is no director "${directorId}"`, {
      hint: `directors: ${[...config.directors.keys()].join(', ') || 'none'}`,
    });
  const mailId = mail.id ?? deps.ids.next('mail');
  const receivedAt = mail.receivedAt ?? isoTime(deps.clock.now());
  const parsed = await parseMail(mailWorkers, config, { ...mail, id: mailId, receivedAt });
  const { accountId } = JSON.parse(parsed.summary) as MailSummary;
  let route: Route = { directors: [] };
  await ingestMail(
    deps,
    async (subject) => {
      const decision = await filterPool.decide(filterQuestion(subject, config));
      route = { directors: decision.directors.map(({ directorId: id, filterId }) => ({ directorId: id, filterId })) };
      if (directorId === undefined) return decision;
      const own = decision.directors.find((one) => one.directorId === directorId);
      return { ...decision, directors: [own ?? { directorId, filterId: '' }] };
    },
    { mailId, accountId, parsed, fetchCycleId: deps.ids.next('cycle'), cursor: () => [] },
  );
  engine.queued();
  const runs = await deps.store.list('run', { where: [['mail', '=', mailId]], order: [['id', 'asc']], bodies: false });
  return { runIds: runs.map(({ id }) => id), route };
}
