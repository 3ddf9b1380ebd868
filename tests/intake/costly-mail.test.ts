import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import type { FoundMail } from '../../engine/src/mail/source.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { mailOf } from '../mail/fixtures.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';
import { BOX } from './fetching.ts';

const FILES = { ...BOX, 'filters/all.yaml': 'id: all\nfield: Subject\nregex: .\ndirectorId: boss\n' };

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
});
afterEach(() => stage.close());

/** A fetch of mails with these subjects; the filters take too long `costs` times for the subject `costly`. */
async function fetch(subjects: readonly string[], costs: number) {
  let left = costs;
  const fetcher = new Fetcher(
    { ...stage.app.deps, log: silentLogger, live: new LiveBus() },
    {
      openSource: () => ({
        async *list() {
          for (const subject of subjects) yield found(subject);
        },
        watch: async () => async () => {},
      }),
      routeMail: async (subject, snapshot) => {
        if (subject.includes('"subject":"costly"') && left-- > 0)
          throw new EngineError('MAIL_TOO_COSTLY', 'took longer than 10 s and was stopped');
        return stage.app.filterPool.decide(filterQuestion(subject, snapshot));
      },
      onNewMail: () => {},
    },
  );
  const result = await fetcher.fetch();
  await fetcher.stop();
  return result;
}

const found = (subject: string): FoundMail => ({
  ...{ kind: 'mail', name: subject, providerId: subject },
  read: (given) => {
    const facts = { ...given, accountId: 'box', ownAddresses: [], labels: [], readsLabelHeaders: false };
    const bytes = mailOf('From: ann@client.example', `Subject: ${subject}`, '', 'Hello.');
    return stage.app.mailWorkers.parse({ kind: 'bytes', bytes }, facts);
  },
});

const stored = async () =>
  (await stage.app.deps.store.list('mail', { order: [['id', 'asc']] })).map((row) => {
    const { summary, routing } = storedMail(row);
    return [summary.subject, routing.directors, routing.note];
  });

test('a mail on which the filters take too long is stored without a run, and blocks no other mail', async () => {
  expect(await fetch(['costly', 'next'], Infinity)).toMatchObject({ taken: 2, failed: 0 });
  expect(await stored()).toEqual([
    ['costly', [], 'the filters could not be evaluated on this mail within their limits of time and memory'],
    ['next', ['boss'], ''],
  ]);
});

test('a mail on which the filters take too long once, as in a process that stood still, starts its run', async () => {
  expect(await fetch(['costly'], 1)).toMatchObject({ taken: 1, failed: 0 });
  expect(await stored()).toEqual([['costly', ['boss'], '']]);
});
