import type { FileOperation } from '../../config/permissions.ts';
import type { Notebooks } from '../../file/notebook/notebooks.ts';
import type { EditRequest } from '../../file/notebook/plan-edit.ts';
import type { GeneratedFile } from '../../workspace/generated-file.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { Caller, WorldContext, WorldTool } from '../tool.ts';
import type { EditArguments } from './notebook-edit.ts';
import { FILE, forNotebooks } from './notebook-parameters.ts';

/** Longest content of one call, in characters. */
const MAX_CONTENT = 1_000_000;

const CONTENT = { type: 'string', maxLength: MAX_CONTENT, description: 'The whole text of the file.' } as const;
const PROPERTIES = {
  type: 'object',
  maxProperties: 200,
  description: 'Properties to write as YAML front matter, such as {"status": "done"}. Others in the text stay.',
} as const;
const EXPECTED = {
  expectedHash: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'hash of the file as you know it: the call fails if the file has changed since.',
  },
} as const;

/** What the tools that change files have in common. Before a second attempt they look for the first. */
const WRITES = { family: 'notebook', effects: 'write', repeat: 'lookup', trust: 'told' } as const;

/** The tools that change files: each keeps the previous version, which a person can bring back. */
export function notebookWriteTools(notebooks: () => Notebooks): readonly WorldTool[] {
  return [propertiesTool(notebooks), writeTool(notebooks), createTool(notebooks), deleteTool(notebooks)];
}

/** The functions of a tool that changes a file. Their code is loaded at the first call. */
function editing<TArgs extends EditArguments>(
  notebooks: () => Notebooks,
  tool: string,
  operation: FileOperation,
  requestOf: (args: TArgs) => EditRequest,
) {
  const load = () => import('./notebook-edit.ts');
  const callOf = (args: TArgs, caller: Caller) => {
    const request = requestOf(args);
    return { notebooks: notebooks(), tool, operation, args, request, caller };
  };
  return {
    name: tool,
    operation,
    async checkScope(args: TArgs, caller: Caller) {
      const { namedFile } = await import('./notebook-arguments.ts');
      namedFile(notebooks(), args, caller, operation);
    },
    async actualArguments(args: TArgs, caller: Caller) {
      const { actualFileArguments } = await import('./notebook-arguments.ts');
      return actualFileArguments(notebooks(), args, caller);
    },
    binding: async (args: TArgs, caller: Caller) =>
      (await import('./call-binding.ts')).fileBinding(notebooks(), args, caller, operation),
    check: async (args: TArgs, caller: Caller) => (await load()).checkEdit(callOf(args, caller)),
    preview: async (args: TArgs, caller: Caller) => (await load()).previewEdit(callOf(args, caller)),
    run: async (args: TArgs, context: WorldContext) =>
      (await load()).performEdit(callOf(args, context.caller), context),
    reconcile: async (_args: TArgs, context: WorldContext) => (await load()).findEdit(notebooks(), tool, context),
  };
}

/** The text that a call has written, as a document. A file that is made from a template alone is none. */
async function writtenFile({ path, content = '' }: { path: string; content?: string }): Promise<GeneratedFile[]> {
  if (content === '') return [];
  const mimeType = /\.(md|markdown)$/i.test(path) ? 'text/markdown' : 'text/plain';
  return [{ label: path, mimeType, encoding: 'utf8', data: content }];
}

function propertiesTool(notebooks: () => Notebooks): WorldTool {
  const schema = parameters(
    {
      ...FILE,
      properties: { ...PROPERTIES, description: 'Properties to set, such as {"status": "done"}. The others stay.' },
      remove: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        maxItems: 200,
        description: 'Names of properties to remove.',
      },
      ...EXPECTED,
    },
    ['path', 'properties'],
  );
  interface Args extends EditArguments {
    readonly properties: object;
    readonly remove?: readonly string[];
  }
  return defineTool({
    ...WRITES,
    ...editing<Args>(notebooks, 'notebook_update_properties', 'write', ({ properties, remove = [] }) => ({
      kind: 'properties',
      set: { ...properties },
      remove,
    })),
    description: 'Changes properties in the YAML front matter of a file, and nothing else of it.',
    parameters: schema,
    parametersFor: forNotebooks(schema),
  });
}

function writeTool(notebooks: () => Notebooks): WorldTool {
  const schema = parameters({ ...FILE, content: CONTENT, properties: PROPERTIES, ...EXPECTED }, ['path', 'content']);
  interface Args extends EditArguments {
    readonly content: string;
    readonly properties?: object;
  }
  return defineTool({
    ...WRITES,
    ...editing<Args>(notebooks, 'notebook_write_file', 'write', ({ content, properties }) => ({
      kind: 'write',
      content,
      properties: properties && { ...properties },
    })),
    files: writtenFile,
    description:
      'Replaces the whole text of a file, or writes a new file where you may create files. Fails if the file has changed since you read it.',
    parameters: schema,
    parametersFor: forNotebooks(schema),
  });
}

function createTool(notebooks: () => Notebooks): WorldTool {
  const template = {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'Name of a file in the folder templates/ of the notebook: the new file begins with its text.',
  } as const;
  const schema = parameters(
    {
      ...FILE,
      content: { ...CONTENT, description: 'Text of the file, after the template. Default empty.' },
      template,
      properties: PROPERTIES,
    },
    ['path'],
  );
  interface Args extends EditArguments {
    readonly content?: string;
    readonly template?: string;
    readonly properties?: object;
  }
  return defineTool({
    ...WRITES,
    ...editing<Args>(notebooks, 'notebook_create_file', 'create', ({ content, template: from, properties }) => ({
      kind: 'create',
      content,
      template: from,
      properties: properties && { ...properties },
    })),
    files: writtenFile,
    description: 'Makes a new file; fails if there is one with that name.',
    parameters: schema,
    parametersFor: forNotebooks(schema),
  });
}

function deleteTool(notebooks: () => Notebooks): WorldTool {
  const schema = parameters({ ...FILE, ...EXPECTED }, ['path']);
  return defineTool({
    ...WRITES,
    ...editing<EditArguments>(notebooks, 'notebook_delete_file', 'delete', () => ({ kind: 'delete' })),
    description: 'Deletes a file. A person can bring it back.',
    parameters: schema,
    parametersFor: forNotebooks(schema),
  });
}
