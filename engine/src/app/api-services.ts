import { join } from 'node:path';
import type { Services } from '../api/api.ts';
import { openSessions } from '../api/auth/browser-sessions.ts';
import type { Redactor } from '../base/redact.ts';
import { MetricsGauges } from '../api/metrics-gauges.ts';
import { type App, filterQuestion } from './app.ts';
import { HOME, readVersion } from './installation.ts';
import type { ProcessContext } from './process-context.ts';

/** Shorter tokens are words that may stand anywhere; blotting those out would eat ordinary text. */
const MIN_SECRET = 16;

/** Keeps a token out of logs and out of what is stored. */
export function hideToken(redactor: Redactor, token: string): void {
  if (token.length >= MIN_SECRET) redactor.add(token);
}

/**
 * What the HTTP edge needs, from an app. `token` is made anew unless it is given; sessions outlive the process unless it
 * `isBrief`: there may be no data folder then.
 */
export async function servicesOf(
  app: App,
  { redactor }: Pick<ProcessContext, 'redactor'>,
  token: string | undefined,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): Promise<Services> {
  const { deps, engine, fetcher, config, filterPool, dataDir, storage, secrets } = app;
  const { mailWorkers: mail, calendarWorkers: calendars, connections, signIns, openSource, mailService } = app;
  const { store, clock } = deps;
  const sessions = await openSessions({ dataDir: isBrief ? undefined : dataDir, store, clock, token });
  hideToken(redactor, sessions.token);
  return {
    version: readVersion(),
    dataDir,
    storage,
    uiDir: join(HOME, 'ui'),
    deps,
    engine,
    fetcher,
    config,
    mail,
    calendars,
    judge: (subject, snapshot) => filterPool.decide(filterQuestion(subject, snapshot)),
    secrets,
    ...{ connections, signIns, openSource, mailService },
    sessions,
    ...metricsOf(app, true),
  };
}

/** The text for Prometheus; of the store as a whole, which many processes share, only where `isWhole`. */
export function metricsOf({ deps, engine, fetcher }: App, isWhole: boolean): Pick<Services, 'metrics'> {
  const { metrics } = deps;
  if (metrics === undefined) return {};
  const figures = new MetricsGauges({ deps, engine, ...(isWhole && { whole: { fetcher } }) });
  return { metrics: async () => metrics.text(await figures.read()) };
}
