import type { Agenda, NewTodo, Todo } from '../../agenda/agenda.ts';
import { EngineError } from '../../base/error.ts';
import { named, OWNER, ownerOf, parameters } from './account-arguments.ts';
import type { WorldTool } from '../tool.ts';

const MOST = 50;

/** Tools over lists of to-dos (seed 000, 3.2.8b). */
export function todoTools(agenda: () => Agenda): readonly WorldTool[] {
  return [
    {
      name: 'todo_add',
      family: 'todo',
      effects: 'write',
      repeat: 'key',
      description: 'Adds one to-do for the user.',
      parameters: parameters(
        {
          ...OWNER,
          task: {
            type: 'object',
            required: ['title'],
            additionalProperties: false,
            properties: {
              title: { type: 'string', minLength: 1, maxLength: 500, description: 'What is to be done, in one line.' },
              notes: { type: 'string', maxLength: 8000, description: 'What one should know.' },
              due: { type: 'string', description: 'Day by which it is to be done, such as 2026-11-25.' },
            },
          },
        },
        ['task'],
      ),
      async check(args, caller) {
        checkDay(args['task'] as NewTodo);
        await agenda().todos(ownerOf(args, caller));
      },
      async run(args, { caller, key, signal }) {
        const todo = args['task'] as NewTodo;
        checkDay(todo);
        const list = await agenda().todos(ownerOf(args, caller));
        return { ...named(list), task: await list.add(todo, { key, signal }) };
      },
    },
    {
      name: 'todo_list',
      family: 'todo',
      reach: 'private',
      effects: 'read',
      repeat: 'free',
      description: 'Lists to-dos of the user, the newest first.',
      parameters: parameters(
        {
          ...OWNER,
          status: { type: 'string', enum: ['open', 'done', 'all'], default: 'open', description: 'Default open.' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 200,
            default: MOST,
            description: `Most to return. Default ${MOST}.`,
          },
        },
        [],
      ),
      async run(args, { caller, signal }) {
        const { status = 'open', limit = MOST } = args as { status?: Todo['status'] | 'all'; limit?: number };
        const list = await agenda().todos(ownerOf(args, caller));
        const wanted = status === 'all' ? undefined : status;
        return { ...named(list), tasks: await list.list({ status: wanted, limit, signal }) };
      },
    },
  ];
}

function checkDay({ due: text }: NewTodo): void {
  if (text === undefined) return;
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return;
  throw new EngineError('TOOL_ARGUMENTS', `task.due: ${JSON.stringify(text)} is no day`, {
    hint: 'write the day as 2026-11-25',
  });
}
