import { normalize } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { listOf } from '../../base/did-you-mean.ts';
import type { DeclaredTool, ToolCatalog } from '../config.ts';
import type { CommandTool, HttpTool } from '../documents.gen.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { unknownVariable } from '../prompt/variable.ts';
import { schemaFault } from '../parse/json-schema.ts';
import { RESERVED_TOOL_IDS } from '../tool-name.ts';
import { argumentsIn, parseUrlTemplate, referencesIn } from '../tool-template.ts';
import { isFamily } from './links.ts';
import { textsBelow } from './reference-keys.ts';

/** Headers that belong to the connection, or that the engine writes itself. */
const OWN_HEADERS: readonly string[] = [
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding'],
];
/** Headers whose value is a key. */
const SECRET_HEADER = /^(authorization|cookie|.*(api-?key|-token|-secret|-auth|password))$/i;

/** Checks what the schema cannot: the name, the parameters, and the placeholders of a declared tool. */
export function checkDeclaredTool(tool: DeclaredTool, catalog: ToolCatalog): Finding[] {
  const name = checkName(tool.id, catalog);
  if (tool.kind === 'mcp') return [...name, ...checkHeaders(tool.headers ?? {}, ['headers'])];
  const parameters = checkParameters(tool.parameters);
  return [...name, ...parameters, ...(tool.kind === 'http' ? checkHttp(tool) : checkCommand(tool))];
}

function checkName(id: string, catalog: ToolCatalog): Finding[] {
  const alias = catalog.aliases.get(id);
  const why = isFamily(id, catalog)
    ? 'is the name of a family of built-in tools'
    : catalog.tools.has(id) || catalog.discovery.includes(id)
      ? 'is the name of a built-in tool'
      : alias !== undefined
        ? `is another name of the built-in tool "${alias}"`
        : RESERVED_TOOL_IDS.includes(id)
          ? 'is reserved'
          : id.includes('__') || id.endsWith('_')
            ? 'contains "__" or ends with "_", which separates an MCP server from its tools'
            : undefined;
  if (why === undefined) return [];
  return [
    {
      code: 'CONFIG_TOOL_NAME',
      path: ['id'],
      message: `"${id}" ${why}`,
      hint: 'give the tool another id and file name',
    },
  ];
}

function checkParameters(parameters: Readonly<Record<string, unknown>>): Finding[] {
  const code = 'CONFIG_TOOL_PARAMETERS';
  const message = 'parameters is not a JSON Schema of type object';
  if (parameters['type'] !== 'object') return [{ code, path: ['parameters'], message, hint: 'write type: object' }];
  const fault = schemaFault(parameters, ['parameters']);
  return fault === undefined ? [] : [{ code, ...fault }];
}

function checkHttp({ request, parameters }: HttpTool): Finding[] {
  const { method, url, query, headers, json, form } = request;
  const findings: Finding[] = [...checkUrl(url, parameters), ...checkHeaders(headers, ['request', 'headers'])];
  const template = (path: DocumentPath, message: string, hint: string, part: 'key' | 'value' = 'value') =>
    findings.push({ code: 'CONFIG_TOOL_TEMPLATE', path: ['request', ...path], part, message, hint });
  if (json !== undefined && form !== undefined)
    template(['form'], 'a request has one body, but there are json and form', 'remove one of the two');
  if (method === 'GET' && (json !== undefined || form !== undefined))
    template(['method'], 'a GET request has no body', 'write method: POST, or put the values into query');
  for (const [name, where] of fixedNames({ query, headers, form, json }))
    template(where, `the name ${JSON.stringify(name)} is not fixed`, '{{name}} may stand in values only', 'key');
  const texts = textsBelow({ url, query, headers, json, form }, ['request']);
  return [...findings, ...checkArguments(texts, parameters)];
}

/** Names in a request that contain a placeholder or a reference. */
function fixedNames(value: unknown, path: DocumentPath = []): [string, DocumentPath][] {
  if (Array.isArray(value)) return value.flatMap((member, i) => fixedNames(member, [...path, i]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(/\{\{|\$\{/.test(key) ? [[key, [...path, key]] as [string, DocumentPath]] : []),
    ...fixedNames(member, [...path, key]),
  ]);
}

function checkUrl(text: string, parameters: HttpTool['parameters']): Finding[] {
  const path = ['request', 'url'];
  const url = parseUrlTemplate(text);
  if (typeof url === 'string')
    return [{ code: 'CONFIG_TOOL_TEMPLATE', path, message: `the address cannot be used: ${url}` }];
  const required = parameters['required'];
  return url.segments.flatMap(argumentsIn).flatMap((name): Finding[] => {
    if (Array.isArray(required) && required.includes(name)) return [];
    const message = `{{${name}}} stands in the path of the address, but the argument is optional`;
    return [{ code: 'CONFIG_TOOL_TEMPLATE', path, message, hint: `add ${name} to parameters.required` }];
  });
}

function checkHeaders(headers: Readonly<Record<string, string>>, path: DocumentPath): Finding[] {
  return Object.entries(headers).flatMap(([name, value]): Finding[] => {
    const at = [...path, name];
    if (OWN_HEADERS.includes(name.toLowerCase()))
      return [
        { code: 'CONFIG_VALUE', path: at, part: 'key', message: `the engine writes the header "${name}" itself` },
      ];
    if (/[\r\n\0]/.test(value))
      return [{ code: 'CONFIG_VALUE', path: at, message: `the header "${name}" has more than one line` }];
    if (!SECRET_HEADER.test(name) || referencesIn(value).length > 0 || value === '') return [];
    const message = `the header "${name}" must contain a reference such as \${env:NAME}, never the key itself`;
    const hint =
      'store the key in the environment or in the secret store, and write ${env:NAME} or ${secret:NAME} here';
    return [{ code: 'CONFIG_SECRET_LITERAL', path: at, message, hint }];
  });
}

function checkCommand({ argv, cwd, sandbox, folders, parameters }: CommandTool): Finding[] {
  const findings: Finding[] = [];
  if (argumentsIn(argv[0] ?? '').length > 0 || argv[0] === '')
    findings.push({
      code: 'CONFIG_TOOL_TEMPLATE',
      path: ['argv', 0],
      message: 'the program is not fixed',
      hint: 'write its name; {{name}} may stand in arguments only',
    });
  if (sandbox && normalize(cwd) === normalize('.'))
    findings.push({
      code: 'CONFIG_VALUE',
      path: ['cwd'],
      message: 'cwd is the folder that contains config/ and .env, which a sandbox must not show',
      hint: 'name a folder below it: cwd: ./workspace',
    });
  if (!sandbox && folders.length > 0)
    findings.push({
      code: 'CONFIG_VALUE',
      path: ['folders'],
      message: 'folders has an effect only with sandbox',
      hint: 'write sandbox: true, or remove it',
    });
  return [...findings, ...checkArguments(textsBelow(argv, ['argv']), parameters)];
}

/** Reports placeholders that are no property of the parameters. */
function checkArguments(
  texts: readonly { readonly text: string; readonly at: DocumentPath }[],
  parameters: Readonly<Record<string, unknown>>,
): Finding[] {
  const properties = parameters['properties'];
  const known = isRecord(properties) ? Object.keys(properties) : [];
  return texts.flatMap(({ text, at }) =>
    argumentsIn(text)
      .filter((name) => !known.includes(name))
      .map((name): Finding => {
        const { message } = unknownVariable(name, known, []);
        const hint = known.length === 0 ? 'parameters has no properties' : `parameters: ${listOf(known)}`;
        return { code: 'CONFIG_UNKNOWN_VARIABLE', path: at, message, hint };
      }),
  );
}
