import { describe, expect, test } from 'vitest';
import { useToolNames } from '../../../engine/src/config/validate/tool-aliases.ts';
import { testProblems } from '../problem-cases.ts';
import { GATES } from './gate-cases.ts';

describe('gates', () => {
  testProblems(GATES);

  test('know the tools of seed 003 by their names there', () => {
    const value = { guards: [{ kind: 'needsTime', tools: ['create_event', 'calendar_*'] }] };
    useToolNames(value, { aliases: new Map([['create_event', 'calendar_add']]) });

    expect(value.guards).toEqual([{ kind: 'needsTime', tools: ['calendar_add', 'calendar_*'] }]);
  });
});
