import type { Asserts, TestAssertion, TestCase, TestFile } from '../documents.gen.ts';

/** Folder below the config folder whose files are tests. They are no documents. */
export const TESTS_FOLDER = 'tests';

/** An assertion of a test without `not-`. */
export type AssertionType = Exclude<TestAssertion['type'], `not-${string}`>;

/** A type as it is written, taken apart. */
export function typeOf({ type }: Pick<TestAssertion, 'type'>): {
  readonly type: AssertionType;
  readonly isNot: boolean;
} {
  const isNot = type.startsWith('not-');
  return { type: (isNot ? type.slice('not-'.length) : type) as AssertionType, isNot };
}

/** The assertions of a test: those of the file, then its own. */
export function assertionsOf({ defaults }: Pick<TestFile, 'defaults'>, test: TestCase): Asserts {
  return [...(defaults.assert ?? []), ...test.assert];
}

/** The name of a test in reports: its description, else what arrives. */
export function nameOfTest(test: TestCase, n: number): string {
  if (test.description !== undefined) return test.description;
  if ('mail' in test) return test.mail;
  if ('case' in test) return test.case;
  const line = test.message.replace(/\s+/g, ' ').trim();
  return line === '' ? `test ${n}` : line.slice(0, 80);
}
