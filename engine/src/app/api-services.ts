import { join } from 'node:path';
import type { Services } from '../api/api.ts';
import { openSessions } from '../api/auth/browser-sessions.ts';
import { createGoogleLogin, type LoginClient } from '../api/auth/google-login.ts';
import { createLoginLimit } from '../api/auth/login-limit.ts';
import { createUsers } from '../api/auth/users.ts';
import type { Access } from '../api/access.ts';
import { LOCAL_ACCESS } from '../api/http/read-access.ts';
import { MetricsGauges } from '../api/metrics-gauges.ts';
import { validateConfig } from '../config/validate-folder.ts';
import { filterQuestion } from '../filter/filter-question.ts';
import { applyLearnPatch } from '../run/learn/apply-patch.ts';
import type { App } from './app.ts';
import { ChangesJob } from './scratch/changes-job.ts';
import { BUNDLES, HOME, readVersion } from './installation.ts';
import { builtInToolCatalog, listedFamilies } from './tool-catalog.ts';
import type { ProcessContext } from './process-context.ts';
import { type EncryptionSwitch, encryptionOf } from './services/encryption.ts';

/** Options of the services of the API. */
export interface ServiceOptions {
  /** Sessions end with the process, and no data folder is needed. */
  readonly isBrief?: boolean;
  /** The OAuth client of the sign-in; undefined for none. */
  readonly login?: LoginClient | undefined;
  /** Variables of the environment, for configs of git refs. Default: none is set. */
  readonly env?: ProcessContext['env'];
  /** Default: of this machine only. */
  readonly access?: Access;
  /** Default: nobody can encrypt the store from the viewer. */
  readonly encryption?: EncryptionSwitch | undefined;
}

/** Builds the services of the API from an app. `token`: undefined creates one. */
export async function servicesOf(
  app: App,
  { redactor }: Pick<ProcessContext, 'redactor'>,
  token: string | undefined,
  { isBrief = false, login, access = LOCAL_ACCESS, env = () => undefined, encryption }: ServiceOptions = {},
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
    encryption: encryptionOf({ storage, dataDir, isShared: app.joined !== undefined }, encryption),
    uiDir: join(HOME, 'ui'),
    bundleDir: BUNDLES,
    deps,
    engine,
    fetcher,
    config,
    mail,
    calendars,
    decideRouting: (subject, snapshot) => filterPool.decide(filterQuestion(subject, snapshot)),
    tryRegex: filterPool.tryRegex,
    secrets,
    reminders: app.reminders,
    tasks: app.tasks,
    chats: app.chats,
    roaming: app.roaming,
    answerLinks: app.answerLinks,
    startShadow: async (settings) => (await import('./scratch/start-shadow.ts')).startShadow(app, settings, env),
    changes: new ChangesJob(app, env),
    saveTest: async (runId) => (await import('./scratch/save-test.ts')).saveTest(app, runId),
    applyLearned: (patch) =>
      config.editFiles(() =>
        applyLearnPatch(config.dir, patch, (texts) =>
          validateConfig({
            ...{ dir: config.dir, dataDir, env, texts },
            hasSecret: (name) => secrets.get(name) !== undefined,
            catalog: builtInToolCatalog(),
          }),
        ),
      ),
    notebooks,
    files: app.files,
    toolCatalog: () => listedFamilies(deps.tools.of(config.current())),
    mcpServers: () => app.mcpServers.status(),
    ...{ connections, signIns, openSource, mailService },
    sessions,
    access,
    users: createUsers({
      ...{ store, clock, ids: deps.ids, hasLogin: login !== undefined },
      settings: () => config.current().settings,
    }),
    loginLimit: createLoginLimit(clock),
    ...(login !== undefined && { login: createGoogleLogin(login, { clock }) }),
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
