import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes where loops are long, longest first. */
const LONGEST = [
  'tests/flow/durable-crash.test.ts',
  'tests/store/sqlite/rotate-key-kill.test.ts',
  'tests/flow/shared/crash.test.ts',
  'tests/flow/mail-crash.test.ts',
  'tests/flow/sending-crash.test.ts',
  'tests/flow/objective/objective-crash.test.ts',
  'tests/flow/shared/lite.test.ts',
  'tests/browser/page/every-page.test.ts',
  'tests/store/move/move-kill.test.ts',
  'tests/flow/chat/chat-crash.test.ts',
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
