import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take from twenty seconds to six minutes where loops are long, longest first. */
const LONGEST = [
  'tests/flow/durable-crash.test.ts',
  'tests/flow/shared/crash.test.ts',
  'tests/store/sqlite/rotate-key-kill.test.ts',
  'tests/flow/mail-crash.test.ts',
  'tests/flow/chat/chat-crash.test.ts',
  'tests/store/move/move-kill.test.ts',
  'tests/flow/sending-crash.test.ts',
  'tests/config/link/candidate.test.ts',
  'tests/browser/page/every-page.test.ts',
  'tests/flow/objective/objective-crash.test.ts',
  'tests/flow/shared/lite.test.ts',
  'tests/browser/inbox.test.ts',
  'tests/cluster/queue/silent-server.test.ts',
  'tests/browser/reply.test.ts',
  'tests/store/move/move-store.test.ts',
  'tests/browser/page/keys.test.ts',
  'tests/store/postgres/batch.test.ts',
  'tests/flow/objective/sending.test.ts',
  'tests/browser/shell.test.ts',
  'tests/browser/chat/accessible.test.ts',
  'tests/store/postgres/postgres-store.test.ts',
  'tests/chat/roam/decide-change.test.ts',
  'tests/cluster/claims-postgres.test.ts',
  'tests/chat/roaming.test.ts',
  'tests/search/search.test.ts',
  'tests/cli/shared.test.ts',
  'tests/guard/privacy/speed.test.ts',
  'tests/flow/shared/frozen.test.ts',
  'tests/store/postgres/shared.test.ts',
  'tests/regex/regex.test.ts',
  'tests/scripts/bundle.test.ts',
  'tests/browser/approval/accessible.test.ts',
  'tests/model/cli/acp/acp.test.ts',
  'tests/cli/commands/replay/replay.test.ts',
  'tests/cli/commands/server/start.test.ts',
  'tests/mail/outlook/large.test.ts',
  'tests/app/scratch/shadow-loop.test.ts',
  'tests/model/protocol/cut.test.ts',
  'tests/browser/item.test.ts',
  'tests/browser/chat/form.test.ts',
  'tests/browser/chat/hostile.test.ts',
  'tests/browser/mail/state.test.ts',
  'tests/browser/config/edit.test.ts',
  'tests/cluster/queue/pg-boss-queue.test.ts',
];

/** The longest files begin first, so that at the end no process waits for one of them alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((file) => moduleId.replaceAll('\\', '/').endsWith(file));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
