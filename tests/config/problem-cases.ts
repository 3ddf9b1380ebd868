import { expect, test } from 'vitest';
import { brief, type Files, problemsOf, VALID } from './folder.ts';

/** Files to put into the valid config, and the problems that `validate` reports then. */
export interface ProblemCase {
  readonly name: string;
  readonly files: Files;
  /** `file:line:column CODE` of every problem, in order. */
  readonly found: readonly string[];
  /** A part of the first problem's message and hint. */
  readonly says?: string;
}

/** The agent of the valid config with other keys. */
export const agent = (rest: string): Files => ({ 'agents/reader.yaml': `id: reader\n${rest}` });

/** The director of the valid config with other keys. */
export const director = (rest: string): Files => ({ 'directors/boss.yaml': `id: boss\napiConfigId: main\n${rest}` });

/** The api of the valid config with other keys. */
export const api = (rest: string): Files => ({ 'apis/main.yaml': `id: main\n${rest}` });

/** One test a case: its problems, their places, and a part of the text of the first. */
export function testProblems(cases: readonly ProblemCase[]): void {
  test.each(cases)('says what and where: $name', async ({ files, found, says = '' }) => {
    const problems = await problemsOf({ ...VALID, ...files });
    expect(brief(problems)).toEqual(found);
    const code = found[0]?.split(' ')[1];
    const texts = problems
      .filter((problem) => problem.code === code)
      .map(({ message, hint }) => `${message} ${hint ?? ''}`);
    expect(texts.join('\n')).toContain(says);
  });
}
