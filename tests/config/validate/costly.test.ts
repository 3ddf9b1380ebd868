import { describe, expect, test } from 'vitest';
import { createShapeCheck } from '../../../engine/src/config/parse/schema.ts';
import { validateSource } from '../../../engine/src/config/validate/validate.ts';
import { catalog, problemsOf, VALID } from '../folder.ts';

const checks = { checkShape: createShapeCheck(), catalog, env: () => undefined };
const many = (count: number, part: (i: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

function validate(kind: 'agent' | 'director' | 'prompt', rest: string) {
  const text = `id: x\n${rest}\n`;
  const file = `config/${kind}s/x.yaml`;
  return validateSource({ relative: file.slice(7), kind, id: 'x', file, text, hash: 'h' }, checks);
}

/** Milliseconds of this thread's processor time: others on the machine do not count. */
function cpuOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const UNKNOWN_KEYS = (count: number) => many(count, (i) => `k${i}: 1`);
const VARIABLES = (count: number) =>
  `variables:\n${many(count, (i) => `  v${i}: a`)}\nmessages: [{ role: user, content: x }]`;
const WITH = (count: number) =>
  `apiConfigId: main\nprompt: { use: mood, with: { ${many(count, (i) => `v${i}: a`, ', ')} } }`;
const ANCHORS = (count: number) => many(count, (i) => `k${i}: &a${i} 1`);

describe('a document that costs much', () => {
  test.each([
    ['unknown keys', 'agent', UNKNOWN_KEYS, 16_000],
    ['variables', 'prompt', VARIABLES, 16_000],
    ['values for a template', 'director', WITH, 16_000],
    ['anchors', 'agent', ANCHORS, 8000],
  ] as const)('with ten times the %s takes about ten times as long, not a hundred', (_name, kind, rest, count) => {
    validate(kind, rest(count / 10));
    const small = cpuOf(() => validate(kind, rest(count / 10)));
    const large = cpuOf(() => validate(kind, rest(count)));
    expect(large / Math.max(small, 1)).toBeLessThan(40);
  });

  test('reports its first 100 errors, and that there are more', () => {
    const { document, problems } = validate('agent', UNKNOWN_KEYS(20_000));
    expect(document).toBeUndefined();
    expect(problems).toHaveLength(101);
    expect(problems.filter(({ code }) => code === 'CONFIG_UNKNOWN_KEY')).toHaveLength(100);
    expect(problems.at(-1)).toMatchObject({
      code: 'CONFIG_MORE_ERRORS',
      severity: 'error',
      message: 'this document has more than 100 errors; only the first 100 are shown',
    });
  });

  test('loses no error behind many warnings', () => {
    const names = many(300, () => '"mail_*"', ', ');
    const { document, problems } = validate('agent', `permissions: { deny: [${names}] }\ntools: [agent__x]`);
    expect(document).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain('CONFIG_UNKNOWN_TOOL');
    expect(problems.at(-1)?.code).toBe('CONFIG_MORE_WARNINGS');
    expect(problems).toHaveLength(101);
    expect(validate('agent', `permissions: { deny: [${names}] }`).document).toBeDefined();
  });

  test('reports its first 100 broken links', async () => {
    const agents = many(900, (i) => `none${i}`, ', ');
    const files = { 'directors/boss.yaml': `id: boss\napiConfigId: main\nagents: [${agents}]\n` };
    const problems = (await problemsOf({ ...VALID, ...files })).filter(({ file }) => file.includes('boss'));
    expect(problems.filter(({ code }) => code === 'CONFIG_UNKNOWN_AGENT')).toHaveLength(100);
    expect(problems.filter(({ code }) => code === 'CONFIG_MORE_ERRORS')).toHaveLength(1);
  });

  test('is refused above 256 KB, wherever its text comes from', () => {
    const { problems } = validate('agent', `description: ${'x'.repeat(256 * 1024)}`);
    expect(problems.map(({ code }) => code)).toEqual(['CONFIG_TOO_LARGE']);
  });

  test('may list at most 1,000 names', () => {
    const { problems } = validate('agent', `tools: [${many(1001, () => 'search', ', ')}]`);
    expect(problems[0]).toMatchObject({ code: 'CONFIG_VALUE', message: expect.stringContaining('1000 items') });
  });
});
