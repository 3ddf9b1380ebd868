import { isoTime } from '../../base/clock.ts';
import type { Taint } from '../../guard/taint.ts';
import type { Message } from '../../model/model.ts';
import { DISCOVERY_TOOLS } from '../../config/permissions.ts';
import type { Tool } from '../../tool/tool.ts';
import { knownTaint, readThread, updateThread } from '../thread.ts';
import type { Step } from './step.ts';

const DISCOVERY: ReadonlySet<string> = new Set(DISCOVERY_TOOLS);

/** What has tainted a thread; undefined where nothing has. Read once, then in memory while the run works. */
export async function taintOf(step: Step, threadId: string): Promise<Taint | undefined> {
  const { taints } = step.runState;
  if (!taints.has(threadId)) taints.set(threadId, await readTaint(step, threadId));
  return taints.get(threadId);
}

async function readTaint(step: Step, threadId: string): Promise<Taint | undefined> {
  const thread = await readThread(step.draft, threadId);
  if (thread === undefined) return undefined;
  const known = knownTaint(thread);
  if (known !== undefined || thread.taint === null) return known;
  // An older version began the thread and noted nothing. A call without an answer, such as the one that is checked now, has
  // read nothing yet.
  const { builtIn } = step.deps.tools;
  const messages = await step.runState.transcript(threadId);
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])));
  const isTainted = messages.some((message) => calledOutside(message, builtIn, answered));
  return isTainted ? { cause: 'what an older version let it read', at: thread.createdAt } : undefined;
}

function calledOutside(message: Message, tools: ReadonlyMap<string, Tool>, answered: ReadonlySet<string>): boolean {
  if (message.role !== 'assistant') return message.role !== 'system' && message.content.includes('<<MEMORY-');
  return (message.tool_calls ?? []).some(({ id, function: { name } }) => {
    if (!answered.has(id)) return false;
    const tool = tools.get(name);
    return tool === undefined ? !DISCOVERY.has(name) : tool.effects !== 'none' && tool.family !== 'memory';
  });
}

/** The cause where a prompt recalls memories. */
export const RECALLED = 'memories that are marked untrusted';

/** Taints a thread for good. The first cause stays. */
export async function taintThread(step: Step, threadId: string, cause: string): Promise<void> {
  if ((await taintOf(step, threadId)) !== undefined) return;
  const thread = await readThread(step.draft, threadId);
  if (thread === undefined) return;
  const taint = { cause, at: isoTime(step.now) };
  await step.draft.add(updateThread({ ...thread, taint }));
  step.runState.taints.set(threadId, taint);
}
