import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../run/harness.ts';
import type { FamilyRows, ToolRow } from '../tool.ts';

const reads = (args: ToolRow['args']): ToolRow => ({ effects: 'read', reach: 'private', repeat: 'free', args });

/** Config and files of a stage with a root. */
export const withRoot = {
  files: { 'settings.yaml': 'virtualRoot: ./documents\n' },
  prepare({ root }: Stage) {
    mkdirSync(join(root, 'documents'));
    writeFileSync(join(root, 'documents/prices.md'), '# Prices\n\nA poster costs 40 euros.\n');
  },
};

export const rows: FamilyRows = {
  ...withRoot,
  tools: {
    filesystem_search: reads({ virtualRoot: './documents', query: 'poster' }),
    filesystem_retrieve: reads({ virtualRoot: './documents', filePath: 'prices.md' }),
  },
};
