import { ModelError } from '../../engine/src/model/model-error.ts';
import type { ModelRequest, Models, ToolCall } from '../../engine/src/model/model.ts';
import { call, playModels } from '../run/harness.ts';
import { chance, pick } from './doomed.ts';
import { planAnswer } from './plan-model.ts';

let calls = 0;

function randomCall({ tools, messages }: ModelRequest, favourite: string | undefined): ToolCall {
  const id = `c${process.pid}_${calls++}`;
  if (tools.some(({ function: { name } }) => name === favourite)) return call(id, favourite!, { what: id });
  const { name } = pick(tools).function;
  if (chance(0.04)) return call(id, name, '{"broken');
  if (name.startsWith('agent__')) {
    const sessions = messages.flatMap(({ content }) => /"sessionId":"(th_\w+)"/.exec(content ?? '')?.[1] ?? []);
    const sessionId = chance(0.4) ? pick([...sessions, 'th_none']) : undefined;
    return call(id, name, { input: `ask ${id}`, ...(sessionId !== undefined && { sessionId }) });
  }
  return callOf(name, id);
}

/** A call of a tool with arguments that it takes. */
function callOf(name: string, id = `c${process.pid}_${calls++}`): ToolCall {
  if (name === 'workspace_add_item') return call(id, name, { label: id, data: 'x' });
  if (name === 'memory_add') return call(id, name, { content: id, scope: chance(0.5) ? 'local' : 'global' });
  if (name === 'reminder_create') return call(id, name, { text: id, in: 'PT1S' });
  if (name === 'notify') return call(id, name, { title: id });
  if (name === 'ask_user') return call(id, name, { question: id });
  if (name.startsWith('odd__')) return call(id, name, { text: id });
  return call(id, name, name === 'list_agents' || name === 'list_tools' ? {} : { what: id });
}

export interface RandomModelOptions {
  readonly pause: () => Promise<void>;
  readonly fails: boolean;
  /** The only tool that it calls where it is offered that one. */
  readonly favourite?: string | undefined;
  /** Tools that the director with agents calls, all in one first turn; a name is taken out once it was called. */
  readonly due?: Set<string>;
}

/** A model that calls what it is shown at random, agents and their sessions included; now and then it fails or limits. */
export function randomModels({ pause, fails, favourite, due = new Set() }: RandomModelOptions): Models {
  return playModels(async (request) => {
    await pause();
    if (fails && chance(0.06))
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 10 + Math.random() * 60 });
    if (fails && chance(0.06))
      throw new ModelError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs: 5 + Math.random() * 20 });
    const { role, turn } = request;
    const planned = planAnswer(request);
    if (planned !== undefined) return { content: planned };
    const isLast = turn > (role === 'director' ? 4 : 2) || (turn > 1 && chance(0.2));
    const isForm = request.output !== undefined && !chance(0.3);
    if (isLast) return { content: isForm ? `{"done":"d${process.pid}_${calls++}"}` : `${role} is done` };
    const isDirector = request.tools.some(({ function: { name } }) => name === 'list_agents');
    const certain = turn === 1 && isDirector ? request.tools.filter((tool) => due.delete(tool.function.name)) : [];
    if (certain.length > 0) return { tool_calls: certain.map(({ function: { name } }) => callOf(name)) };
    return { tool_calls: Array.from({ length: Math.ceil(Math.random() * 3) }, () => randomCall(request, favourite)) };
  });
}
