import { setImmediate } from 'node:timers/promises';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { canonicalJson, isRecord, isTooDeep, sha256 } from '../../base/json.ts';
import { safeSchema } from './safe-schema.ts';

/** Most tools of one server; further ones are left out. */
const MAX_TOOLS = 200;
/** Longest description of a tool, and longest parameters as JSON, in characters: every request to a model repeats both. */
const MAX_DESCRIPTION = 4000;
const MAX_PARAMETERS = 20_000;

/** A tool of an MCP server as it is stored and offered. */
export interface RemoteTool {
  /** As the server spells it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, which the checker can compile. */
  readonly parameters: object;
  /** True where the server says that the tool changes something. */
  readonly writes?: true;
}

/** The tools of a server at one time. */
export interface ToolList {
  /** Hash of the server and its tools. */
  readonly hash: string;
  readonly tools: readonly RemoteTool[];
}

/** The tools that a server has listed, within limits. `server` identifies how it is reached. */
export async function readToolList(server: string, listed: readonly ServerTool[]): Promise<ToolList> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  const tools: RemoteTool[] = [];
  for (const tool of listed.slice(0, MAX_TOOLS)) {
    tools.push(readTool(tool, (schema) => void ajv.compile(schema)));
    // Many schemas of a server must not hold other work up.
    await setImmediate();
  }
  return { hash: sha256(canonicalJson([server, tools])), tools };
}

function readTool(tool: ServerTool, compile: (schema: object) => void): RemoteTool {
  const { name, title, annotations = {} } = tool;
  const text = tool.description ?? title ?? '';
  const description = text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION).toWellFormed()} …` : text;
  const writes = annotations.readOnlyHint === false || annotations.destructiveHint === true;
  const parameters = readParameters(tool.inputSchema, compile);
  return {
    name,
    description: parameters === undefined ? `${description}\nIts parameters are not known.`.trim() : description,
    parameters: parameters ?? { type: 'object' },
    ...(writes && { writes }),
  };
}

/** A schema of arguments; undefined where it is too large or not valid: then the server alone checks the arguments. */
function readParameters(given: unknown, compile: (schema: object) => void): object | undefined {
  if (!isRecord(given) || given['type'] !== 'object') return undefined;
  try {
    const json = JSON.stringify(given);
    if (json.length > MAX_PARAMETERS || isTooDeep(json)) return undefined;
    const schema = safeSchema(given);
    compile(schema);
    return schema;
  } catch {
    return undefined;
  }
}
