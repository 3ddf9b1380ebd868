import { createCalendarWorkers } from '../../agenda/ical/ical-workers.ts';
import { EngineError } from '../../base/error.ts';
import { silentLogger } from '../../base/log.ts';
import type { ConfigService } from '../../config/config.ts';
import { createFilterPool } from '../../filter/filter-pool.ts';
import { filterQuestion } from '../../filter/filter-question.ts';
import { createRecogniser } from '../../guard/privacy/recogniser.ts';
import type { MailContent, MailSummary } from '../../mail/mail.ts';
import { createMailWorkers } from '../../mail/parse/mail-workers.ts';
import { ArgumentChecker } from '../../tool/arguments.ts';
import type { Scratch } from '../../replay/replay.ts';
import { openPlay, type PlaySetup, type ScratchOptions } from './open-play.ts';
import { playRecording } from './play-recording.ts';
import { parseMail } from './start-stimulus.ts';

/**
 * Opens a scratch engine on a config folder (`replay/replay.ts`). Each play opens an app of its own on an empty store, which
 * reaches no other machine. `CONFIG_INVALID` where no document of the folder can be used.
 */
export async function openScratch(options: ScratchOptions): Promise<Scratch> {
  const threads = options.threads ?? {
    mailWorkers: createMailWorkers(),
    calendarWorkers: createCalendarWorkers(),
    filterPool: createFilterPool(),
  };
  const recogniser = options.recogniser ?? createRecogniser();
  const { configDir, env, secret, models } = options;
  const setup: PlaySetup = {
    ...{ configDir, env, recogniser, log: silentLogger },
    threads: {
      mailWorkers: stayOpen(threads.mailWorkers),
      calendarWorkers: stayOpen(threads.calendarWorkers),
      filterPool: stayOpen(threads.filterPool),
    },
    ...(secret !== undefined && { secret }),
    ...(models !== undefined && { models }),
    ...(options.tools !== undefined && { tools: options.tools }),
  };
  const first = await openPlay(setup);
  const config = first.app.config.current();
  // Read and checked once: it takes longer than most plays.
  const shared = { ...setup, config: unchanging(first.app.config), checker: new ArgumentChecker() };
  const problems = first.app.config.problems();
  const tools = first.app.deps.tools.of(config);
  await first.close();
  if (config.directors.size + config.agents.size === 0 && problems.some(({ severity }) => severity === 'error'))
    throw new EngineError('CONFIG_INVALID', `no document in ${configDir} can be used: ${problems[0]?.message ?? ''}`, {
      hint: 'callsheet validate says what is wrong',
    });
  return {
    ...{ config, problems, tools },
    read: async (mail) => {
      const parsed = await parseMail(threads.mailWorkers, config, mail);
      return { summary: JSON.parse(parsed.summary) as MailSummary, content: JSON.parse(parsed.content) as MailContent };
    },
    route: ({ summary, content: { headers, bodyText } }, other = config) =>
      threads.filterPool.decide(filterQuestion(JSON.stringify({ mail: summary, headers, bodyText }), other)),
    play: (recording, playOptions = {}) => playRecording(shared, recording, playOptions),
    async close() {
      const own = options.threads === undefined ? Object.values(threads) : [];
      await Promise.all(own.map((one) => one.close()));
      if (options.recogniser === undefined) await recogniser.close();
    },
  };
}

/** A config that was read once: plays neither follow nor close it. */
function unchanging(config: ConfigService): ConfigService {
  return { ...config, onChange: () => () => {}, close: async () => {} };
}

/** The same workers, which stay open when a play closes its app. */
function stayOpen<T extends { close(): Promise<void> }>(workers: T): T {
  return { ...workers, close: async () => {} };
}
