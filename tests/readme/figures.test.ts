import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { figuresIn, formatFigures, type ReadmeFigures, withFigures } from '../../bench/readme/table.ts';
import { root } from '../available.ts';

const README = join(root, 'README.md');
const readme = readFileSync(README, 'utf8');
const measured = JSON.parse(readFileSync(join(root, 'bench/readme/figures.json'), 'utf8')) as ReadmeFigures;

test('the figures of the README are those that the bench measured, with date and machine', async () => {
  expect(measured.rows.length).toBeGreaterThan(5);
  expect(measured).toMatchObject({
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    machine: expect.stringContaining('Node'),
  });
  const written = await format(withFigures(readme, measured), { ...(await resolveConfig(README)), parser: 'markdown' });
  expect(figuresIn(readme)).toBe(figuresIn(written));
});

test('other figures change the table and nothing around it', () => {
  const [first, ...others] = measured.rows;
  const changed = { ...measured, rows: [{ ...first!, value: '1 ms' }, ...others] };
  const text = withFigures(
    'before <!-- figures: npm run bench -- readme -->\n\nold\n\n<!-- /figures --> after',
    changed,
  );
  expect(figuresIn(text)).toBe(formatFigures(changed));
  expect(text).toMatch(/^before <!-- figures[^]*<!-- \/figures --> after$/);
});

test('a document without the markers is refused', () => {
  expect(() => figuresIn('| figure | value |')).toThrow('has no <!-- figures');
});
