import { join } from 'node:path';
import { createCalendarWorkers } from '../../agenda/ical/ical-workers.ts';
import { EngineError } from '../../base/error.ts';
import { silentLogger } from '../../base/log.ts';
import { createRedactor } from '../../base/redact.ts';
import { createFilterPool } from '../../filter/filter-pool.ts';
import { filterQuestion } from '../../filter/filter-question.ts';
import { createRecogniser } from '../../guard/privacy/recogniser.ts';
import type { MailContent, MailSummary } from '../../mail/mail.ts';
import { createMailWorkers } from '../../mail/parse/mail-workers.ts';
import type { Scratch } from '../../replay/replay.ts';
import { openPlay, type PlaySetup, type ScratchOptions } from './open-play.ts';
import { playRecording } from './play-recording.ts';
import { parseMail } from './start-stimulus.ts';

/**
 * Opens a scratch engine on a config folder (`replay/replay.ts`). Each play opens an app of its own on a store in memory, which
 * reaches nothing. `CONFIG_INVALID` where no document of the folder can be used.
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
    ...{ configDir, env, recogniser, log: silentLogger, redactor: createRedactor() },
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
  const problems = first.app.config.problems();
  const tools = first.app.deps.tools.of(config);
  await first.close();
  if (config.directors.size + config.agents.size === 0 && problems.some(({ severity }) => severity === 'error'))
    throw new EngineError(
      'CONFIG_INVALID',
      `no document in ${join(configDir)} can be used: ${problems[0]?.message ?? ''}`,
      {
        hint: 'callsheet validate says what is wrong',
      },
    );
  return {
    ...{ config, problems, tools },
    read: async (mail) => {
      const parsed = await parseMail(threads.mailWorkers, config, mail);
      return { summary: JSON.parse(parsed.summary) as MailSummary, content: JSON.parse(parsed.content) as MailContent };
    },
    route: ({ summary, content: { headers, bodyText } }, other = config) =>
      threads.filterPool.decide(filterQuestion(JSON.stringify({ mail: summary, headers, bodyText }), other)),
    play: (recording, playOptions = {}) => playRecording(setup, recording, playOptions),
    async close() {
      const own = options.threads === undefined ? Object.values(threads) : [];
      await Promise.all(own.map((one) => one.close()));
      if (options.recogniser === undefined) await recogniser.close();
    },
  };
}

/** A room that outlives the app that uses it. */
function stayOpen<T extends { close(): Promise<void> }>(room: T): T {
  return { ...room, close: async () => {} };
}
