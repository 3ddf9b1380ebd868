import type { Agenda, NewTodo } from '../../agenda/agenda.ts';
import { EngineError } from '../../base/error.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { WorldTool } from '../tool.ts';
import type { ToolFamily } from '../tool-family.ts';
import { accountIdOf, OWNER, ownerOf } from './account-arguments.ts';

/** Most to-dos in one list. */
const MOST = 50;

/** Tools over lists of to-dos (seed 000, 3.2.8b). */
export const todoFamily: ToolFamily = {
  name: 'todo',
  tools: ({ agenda }) => [addTool(agenda), listTool(agenda)],
};

const TASK = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 500, description: 'What is to be done, in one line.' },
    notes: { type: 'string', maxLength: 8000, description: 'What one should know.' },
    due: { type: 'string', description: 'Day by which it is to be done, such as 2026-11-25.' },
    closesOnReply: {
      type: 'boolean',
      description: 'true: the to-do asks the user to answer the mail of this run. It closes when an answer is sent.',
    },
  },
} as const;

function addTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'todo_add',
    trust: 'trusted',
    family: 'todo',
    effects: 'write',
    repeat: 'key',
    uses: ['todo add'],
    description: 'Adds one to-do for the user.',
    parameters: parameters({ ...OWNER, task: TASK }, ['task']),
    binding: async (args, caller) => (await import('./call-binding.ts')).agendaBinding(agenda(), args, caller, 'todo'),
    async check({ task, ...owner }, caller) {
      checkDay(task);
      await agenda().todos(ownerOf(owner, caller));
    },
    async run({ task, ...owner }, { caller, key, signal }) {
      checkDay(task);
      const list = await agenda().todos(ownerOf(owner, caller));
      const emailId = caller.origin.email?.id;
      const todo = { ...task, ...(emailId !== undefined && { emailId }) };
      return { ...accountIdOf(list), task: await list.add(todo, { key, signal }) };
    },
  });
}

function listTool(agenda: () => Agenda): WorldTool {
  return defineTool({
    name: 'todo_list',
    family: 'todo',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    uses: ['todo read'],
    description: 'Lists to-dos of the user, the newest first.',
    parameters: parameters({
      ...OWNER,
      status: { type: 'string', enum: ['open', 'done', 'all'], default: 'open', description: 'Default open.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        default: MOST,
        description: `Most to return. Default ${MOST}.`,
      },
    }),
    async run({ status = 'open', limit = MOST, ...owner }, { caller, signal }) {
      const list = await agenda().todos(ownerOf(owner, caller));
      const wanted = status === 'all' ? undefined : status;
      return { ...accountIdOf(list), tasks: await list.list({ status: wanted, limit, signal }) };
    },
  });
}

function checkDay({ due: text }: NewTodo): void {
  if (text === undefined) return;
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return;
  throw new EngineError('TOOL_ARGUMENTS', `task.due: ${JSON.stringify(text)} is no day`, {
    hint: 'write the day as 2026-11-25',
  });
}
