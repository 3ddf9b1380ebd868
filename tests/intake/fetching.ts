import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import type { MailSource } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import type { Stage } from '../run/harness.ts';

/** An account `box` whose source is the test's, which alone says when to look. */
export const BOX = {
  'settings.yaml': 'fetch: { everySeconds: 3600 }\n',
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: team@example.org\npath: ./none\n',
};

/** What fetches the accounts of a stage from such a source, and judges mail as the engine does. */
export function fetcherOf(stage: Stage, openSource: () => MailSource, live = new LiveBus()): Fetcher {
  return new Fetcher(
    { ...stage.app.deps, log: silentLogger, live },
    {
      openSource,
      routeMail: (subject, snapshot, putOn) => stage.app.filterPool.decide(filterQuestion(subject, snapshot, putOn)),
      onNewMail: () => {},
    },
  );
}
