/** What both loops of the gate send, so that they do the same work: prompts, a tool, and its result. */
export const task = {
  MODEL: 'scripted',
  SYSTEM:
    'You are the director of this mailbox. Record each point of the mail in the workspace, one at a time, then answer in short. ' +
    'Invent nothing, and name the person who owns a point. '.repeat(4),
  TOOL_NAME: 'workspace_add_item',
  TOOL_DESC: 'Adds one item to the workspace.',
  TOOL_SCHEMA: {
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'title', 'body'],
    properties: { kind: { type: 'string' }, title: { type: 'string' }, body: { type: 'string' } },
  },
  APIKEY: 'sk-gate',
  mail: (runId: string, turns: number) =>
    `[run ${runId}] turns=${turns};\nFrom: ana@example.org\nSubject: Your quote\n\n` +
    'Please find below the points of our call about the delivery, the price and the warranty. '.repeat(8),
  workspaceAddItem: (args: unknown) => `stored ${JSON.stringify(args).length} characters in the workspace of this run`,
} as const;

/** Turns of a run that call the tool; one more answers. */
export const TOOL_TURNS = 6;

/** The request of the parent to a loop: this many runs, of which `width` at the same time. */
export interface Order {
  readonly runs: number;
  readonly width: number;
}

/** Serves the orders of the parent with `run`, and answers each with the processor time that it took, in milliseconds. */
export function serveOrders(run: (runId: string, turns: number) => Promise<string>): void {
  let started = 0;
  process.on('message', ({ runs, width }: Order) => void work(runs, width));
  process.send?.('ready');

  async function work(runs: number, width: number): Promise<void> {
    const before = process.cpuUsage();
    let left = runs;
    const worker = async () => {
      while (left-- > 0) await run(`${process.pid}-${started++}`, TOOL_TURNS);
    };
    await Promise.all(Array.from({ length: width }, worker));
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuMs: (user + system) / 1000 });
  }
}
