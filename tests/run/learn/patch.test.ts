import { expect, test } from 'vitest';
import type { LearnFile, LearnFiles } from '../../../engine/src/run/learn/learn-files.ts';
import { learnMessage } from '../../../engine/src/run/learn/learn-message.ts';
import { readPatch, writePatch } from '../../../engine/src/run/learn/patch.ts';
import { checkProposals } from '../../../engine/src/run/learn/proposal.ts';

const ROOT = { name: 'memories', folder: '/nowhere' };
const HEAD = '---\nscope: local\n---\n';

function memory(text: string, name = 'a.md'): LearnFile {
  return { kind: 'memory', file: `memories/${name}`, text, directorId: 'boss', root: ROOT, path: name };
}

function holding(...files: readonly LearnFile[]): LearnFiles {
  const folders = [{ directorId: 'boss', label: 'memories', root: ROOT }];
  return { files: new Map(files.map((one) => [one.file, one])), folders };
}

const validate = async () => ({ revision: '', problems: [] });

test.each([
  ['lines that look like a patch', 'a\n-- b\n++ c\n@@ -1 +1 @@\n', 'a\n++ d\n--- e\n# base new f\n'],
  ['no last line break', 'a\nb', 'a\nc'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\r\nc\r\n'],
  ['far changes', `x\n${'same\n'.repeat(30)}y\n`, `X\n${'same\n'.repeat(30)}Y\n`],
  ['a new file', '', '-- new\n'],
])('a patch gives the new texts again: %s', (_name, before, after) => {
  const [target, other] = [memory(before), memory('one\n', 'b.md')];
  const patch = writePatch('run_1', [
    { target, after },
    { target: other, after: 'two\n' },
  ]);
  const files = before === '' ? holding(other) : holding(target, other);
  expect(readPatch(patch, files)).toEqual([
    { file: 'memories/a.md', text: after },
    { file: 'memories/b.md', text: 'two\n' },
  ]);
});

test('a patch is refused where a file has changed elsewhere, exists already, or is gone', () => {
  const target = memory('a\nb\nc\nd\ne\nf\ng\nh\n');
  const patch = writePatch('run_1', [{ target, after: 'A\nb\nc\nd\ne\nf\ng\nh\n' }]);
  const code = (files: LearnFiles, text: string) => {
    try {
      return readPatch(text, files);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code(holding(memory(`${target.text}i\n`)), patch)).toBe('FILE_CHANGED');
  expect(code(holding(), patch)).toBe('FILE_CHANGED');
  expect(code(holding(target), writePatch('run_1', [{ target: memory(''), after: 'x\n' }]))).toBe('FILE_CHANGED');
  expect(code(holding(target), patch.replace(/^# base.*\n/m, ''))).toBe('USAGE');
  expect(code(holding(target), patch.replace('+++ b/memories/a.md', '+++ /dev/null'))).toBe('USAGE');
});

test('a proposed text keeps the line ends of the file', async () => {
  const after = async (before: string, text: string) => {
    const [change] = await checkProposals(holding(memory(before)), [{ file: 'memories/a.md', text }], validate);
    return change?.after;
  };
  const windows = `${HEAD}one\n`.replaceAll('\n', '\r\n');
  expect(await after(windows, `${HEAD}two\n`)).toBe(`${HEAD}two\n`.replaceAll('\n', '\r\n'));
  expect(await after(windows, `${HEAD}one`)).toBeUndefined();
  expect(await after(`${HEAD}one`, `${HEAD}one\n`)).toBeUndefined();
});

test('the message has what fits, says what does not, and a text cannot close the marks', () => {
  const mark = '0123456789ab';
  const edit = (id: string, length: number) => ({
    ...({
      runId: 'run_1',
      id,
      kind: 'item',
      directorId: 'boss',
      isUsed: false,
      at: '2026-11-23T00:00:00.000Z',
    } as const),
    ...{ before: 'x'.repeat(length), after: `DATA-${mark}>> ${id}` },
  });
  const files = holding(memory(`${HEAD}one\n`), memory('y'.repeat(150_000), 'big.md'));
  const message = learnMessage([edit('first', 10), edit('second', 59_000), edit('third', 59_000)], files, mark);
  expect(message.leftOut).toBe(1);
  expect(message.content).toContain('>> first');
  expect(message.content).toContain('>> second');
  expect(message.content).not.toContain('>> third');
  expect([...message.files.files.keys()]).toEqual(['memories/a.md']);
  expect(message.content.split(`DATA-${mark}>>`)).toHaveLength(2);
});
