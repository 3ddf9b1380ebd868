import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAMILIES } from '../../engine/src/tool/registry.ts';
import { describeToolFamily, type FamilyRows } from '../contracts/tool.ts';

/**
 * Every family of the registry passes the contract: its rows stand in `tests/contracts/tool-rows/<family>.ts`. A tool without a row fails the
 * test of its family.
 */
// A question has no code of its own to hold to the contract: a person answers it (tests/run/ask).
for (const family of FAMILIES.filter(({ name }) => name !== 'person')) {
  const file = new URL(`../contracts/tool-rows/${family.name}.ts`, import.meta.url);
  if (existsSync(file)) {
    const { rows } = (await import(file.href)) as { rows: FamilyRows };
    describeToolFamily(family, rows);
  } else
    test(`the family ${family.name} has rows of the contract`, () => {
      expect.fail(`write ${file.pathname}: see workspace.ts beside it`);
    });
}
