import type { DeclareCommand } from '../../command.ts';

/** `mcp` */
export const addMcp: DeclareCommand = (program, add) => {
  add(
    program,
    'mcp',
    'serve mail, runs and results to an MCP client, such as Claude Code, on stdin and stdout',
    async () => (await import('./mcp.ts')).mcp,
    { level: 'info' },
  );
};
