import type { FamilyRows, ToolRow } from '../tool.ts';
import { withRoot } from './filesystem.ts';

const reads = (args: ToolRow['args']): ToolRow => ({ effects: 'read', reach: 'private', repeat: 'free', args });

export const rows: FamilyRows = {
  ...withRoot,
  tools: {
    document_list: reads({}),
    document_read: reads({ document: 'prices.md' }),
    document_summarize: reads({ document: 'prices.md' }),
  },
};
