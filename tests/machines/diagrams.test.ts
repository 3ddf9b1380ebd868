import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { diagramsPage, MACHINES } from '../../scripts/machine-diagrams.ts';
import { root } from '../available.ts';

test('docs/machines.md shows every machine as it is', () => {
  const page = diagramsPage(MACHINES);
  expect(readFileSync(join(root, 'docs/machines.md'), 'utf8'), 'npm run generate draws them again').toBe(page);
  for (const { id } of MACHINES) expect(page).toContain(`## ${id}\n`);
});

test('a diagram has the events, guards, delays and regions of its machine', () => {
  const machine = setup({ guards: { isReady: () => true }, delays: { soon: 10 } }).createMachine({
    id: 'lamp',
    version: '7',
    initial: 'off',
    on: { BREAK: '.broken' },
    states: {
      off: { tags: 'parked', on: { PRESS: { guard: 'isReady', target: 'on' } } },
      on: {
        type: 'parallel',
        states: { light: { initial: 'dim', states: { dim: { after: { soon: 'full' } }, full: {} } }, heat: {} },
      },
      broken: { type: 'final' },
    },
  });
  const page = diagramsPage([machine]);
  for (const line of [
    'Version 7.',
    'state "off (parked)" as off',
    'anywhere --> broken: BREAK',
    'off --> on: PRESS [isReady]',
    'on_light_dim --> on_light_full: after soon',
    'broken --> [*]',
    '    --',
  ])
    expect(page).toContain(line);
});
