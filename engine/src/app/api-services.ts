import { join } from 'node:path';
import type { Services } from '../api/api.ts';
import { openSessions } from '../api/auth/browser-sessions.ts';
import { MetricsGauges } from '../api/metrics-gauges.ts';
import { type App, filterQuestion } from './app.ts';
import { HOME, readVersion } from './installation.ts';
import { listedFamilies } from './tool-catalog.ts';
import type { ProcessContext } from './process-context.ts';

/**
 * Builds the services of the API from an app. `token`: undefined creates one. `isBrief`: sessions end with the process, and no data
 * folder is needed.
 */
export async function servicesOf(
  app: App,
  { redactor }: Pick<ProcessContext, 'redactor'>,
  token: string | undefined,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): Promise<Services> {
  const { deps, engine, fetcher, config, filterPool, dataDir, storage, secrets, notebooks } = app;
  const { mailWorkers: mail, calendarWorkers: calendars, connections, signIns, openSource, mailService } = app;
  const { store, clock } = deps;
  const sessions = await openSessions({ dataDir: isBrief ? undefined : dataDir, store, clock, token });
  redactor.add(sessions.token);
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
    decideRouting: (subject, snapshot) => filterPool.decide(filterQuestion(subject, snapshot)),
    secrets,
    reminders: app.reminders,
    notebooks,
    toolCatalog: () => listedFamilies(deps.tools.of(config.current())),
    mcpServers: () => app.mcpServers.status(),
    ...{ connections, signIns, openSource, mailService },
    sessions,
    ...metricsOf(app, true),
  };
}

/** Metrics for Prometheus. `isWhole` includes the gauges of the whole store. */
export function metricsOf({ deps, engine, fetcher }: App, isWhole: boolean): Pick<Services, 'metrics'> {
  const { metrics } = deps;
  if (metrics === undefined) return {};
  const figures = new MetricsGauges({ deps, engine, ...(isWhole && { whole: { fetcher } }) });
  return { metrics: async () => metrics.text(await figures.read()) };
}
