import { describe, expect, test } from 'vitest';
import { mcpToolName } from '../../../engine/src/config/tool-name.ts';
import { testProblems } from '../problem-cases.ts';
import { DECLARED_TOOLS } from './tool-cases.ts';

describe('declared tools', () => {
  testProblems(DECLARED_TOOLS);

  test('an MCP tool has a name that models accept', () => {
    expect(mcpToolName('tickets', 'search.tickets/all')).toBe('tickets__search_tickets_all');
    const long = mcpToolName('tickets', 'x'.repeat(80));
    expect(long).toMatch(/^tickets__x{46}_[0-9a-f]{8}$/);
    expect(long).toHaveLength(64);
    expect(mcpToolName('tickets', `${'x'.repeat(80)}y`)).not.toBe(long);
  });
});
