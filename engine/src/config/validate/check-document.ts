import { isNearby } from '../../base/network-host.ts';
import { checkRegex } from '../../regex/regex.ts';
import type { Agent, Api, Director, Filter, ToolCatalog, TypedDocument } from '../config.ts';
import type { CliApi, Condition, ScriptCall, ScriptedApi } from '../documents.gen.ts';
import { checkSchedule, checkZone } from '../schedule/check-schedule.ts';
import { checkChat } from '../chat/check-chat.ts';
import { callsOf } from './script-calls.ts';
import { checkCloud } from './microsoft-cloud.ts';
import { checkImprint, checkPromptSource, checkTemplate } from './check-prompt.ts';
import { checkGates, checkSendDrafts } from './check-gates.ts';
import { checkNamedFolders, checkProgramFolders, checkRoot } from './check-root.ts';
import { checkServer } from './check-server.ts';
import { checkTools } from './check-tools.ts';
import { schemaFault } from '../parse/json-schema.ts';
import type { OwnFolders } from '../own-folders.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { isOwnVariable } from '../own-variables.ts';
import type { PromptActor } from '../prompt/empty-variables.ts';
import { referenceKeys, referencesBelow, textsBelow } from './reference-keys.ts';
import { checkDeclaredTool } from './check-declared-tool.ts';
import { placeholders, SCRIPT_VARIABLES, unknownVariable } from '../prompt/variable.ts';

interface Checks {
  readonly catalog: ToolCatalog;
  readonly folders?: OwnFolders | undefined;
}

/**
 * Checks one document for errors that its JSON Schema cannot express: regular expressions, tool names, variables and
 * references to secrets. Links to other documents are checked later, in `link/`.
 */
export function checkDocument(typed: TypedDocument, checks: Checks): Finding[] {
  return [...checkReferences(typed), ...checkKind(typed, checks)];
}

function checkKind(typed: TypedDocument, { catalog, folders }: Checks): Finding[] {
  switch (typed.kind) {
    case 'settings':
      return [
        ...checkZone(typed.value.calendar.timeZone, ['calendar', 'timeZone']),
        ...checkRoot(typed.value.virtualRoot, ['virtualRoot'], folders),
        ...checkNamedFolders('roots', typed.value.roots, folders),
        ...checkNamedFolders('workspaces', typed.value.workspaces, folders),
        ...checkServer(typed.value.server),
      ];
    case 'account':
      return typed.value.provider === 'outlook' ? checkCloud(typed.value) : [];
    case 'api':
      return checkApi(typed.value);
    case 'filter':
      return checkConditions(typed.value, []);
    case 'prompt':
      return checkTemplate(typed.value);
    case 'director':
      return [
        ...checkActor(typed.value, 'director'),
        ...checkTools(typed.value, typed.value.agents, catalog),
        ...checkGates(typed.value, catalog),
        ...checkRoles(typed.value),
        ...checkSendDrafts(typed.value),
        ...checkOutputMode(typed.value),
        ...checkRoot(typed.value.memory, ['memory'], folders),
        ...checkSchedule(typed.value.schedule),
      ];
    case 'agent':
      return [...checkActor(typed.value, 'agent'), ...checkTools(typed.value, undefined, catalog)];
    case 'tool':
      return [...checkDeclaredTool(typed.value, catalog), ...checkProgramFolders(typed.value, folders)];
    case 'chat':
      return checkChat(typed.value);
    default:
      return typed satisfies never;
  }
}

/** The roles of an objective are agents of its director: its budget and its permissions hold for them. */
function checkRoles({ agents, objective }: Director): Finding[] {
  return (['intake', 'planner', 'writer'] as const).flatMap((role) => {
    const id = objective[role];
    if (id === undefined || agents.includes(id)) return [];
    const message = `"${id}" is not one of the agents of this director`;
    return [{ code: 'CONFIG_VALUE', path: ['objective', role], message, hint: `add ${id} to agents` }];
  });
}

function checkActor({ prompt, imprint, scope, output }: Director | Agent, kind: PromptActor['kind']): Finding[] {
  const actor = { kind, hasScope: scope !== undefined };
  const fault = output && schemaFault(output.schema, ['output', 'schema']);
  const outputs: Finding[] = fault === undefined ? [] : [{ code: 'CONFIG_OUTPUT_SCHEMA', ...fault }];
  return [...checkPromptSource(prompt, actor), ...checkImprint(imprint, actor), ...outputs];
}

/** An objective ends with mails and drafts, not with an answer. */
function checkOutputMode({ mode, output }: Director): Finding[] {
  if (output === undefined || mode !== 'objective') return [];
  const message = 'output has no effect with mode: objective';
  const hint = 'remove it, or set output in an agent';
  return [{ code: 'CONFIG_OUTPUT_SCHEMA', path: ['output'], part: 'key', message, hint }];
}

/** The keys of a director that have the name of the mode that reads them. */
const MODE_KEYS = ['plan', 'objective'] as const;

/** Warns about keys of another mode in a director as it is written: the defaults of such keys say nothing. */
export function unusedModeKeys(written: Readonly<Record<string, unknown>>): Finding[] {
  const { mode = 'orchestrate' } = written;
  return MODE_KEYS.flatMap((key): Finding[] => {
    if (!(key in written) || mode === key) return [];
    const message = `${key} has no effect with mode: ${String(mode)}`;
    return [
      { code: 'CONFIG_KEY_UNUSED', path: [key], part: 'key', message, hint: `write mode: ${key}, or remove the key` },
    ];
  });
}

function checkConditions(condition: Filter | Condition, path: DocumentPath): Finding[] {
  if ('regex' in condition) return checkPattern(condition.regex, [...path, 'regex']);
  if ('not' in condition) return checkConditions(condition.not, [...path, 'not']);
  if ('allOf' in condition) return condition.allOf.flatMap((part, i) => checkConditions(part, [...path, 'allOf', i]));
  return condition.anyOf.flatMap((part, i) => checkConditions(part, [...path, 'anyOf', i]));
}

function checkPattern(pattern: string, path: DocumentPath): Finding[] {
  const reason = checkRegex(pattern);
  if (reason === undefined) return [];
  return [{ code: 'CONFIG_REGEX', path, message: `the pattern ${JSON.stringify(pattern)} cannot be used: ${reason}` }];
}

function checkApi(api: Api): Finding[] {
  if ('script' in api) return checkScript(api.script);
  return api.provider === 'cli' ? checkVariables(api) : checkLocality(api);
}

/** A tool must not get Callsheet's own keys. */
function checkVariables({ env }: CliApi): Finding[] {
  return env.flatMap((name, i) => (isOwnVariable(name) ? [ownVariable(name, ['env', i])] : []));
}

/** Warns where an API has `locality: local` and a public host name. Only the user knows which machine that is. */
function checkLocality({ locality, baseUrl }: Exclude<Api, ScriptedApi | CliApi>): Finding[] {
  if (locality !== 'local' || !URL.canParse(baseUrl)) return [];
  const { hostname } = new URL(baseUrl);
  if (isNearby(hostname)) return [];
  const message = `this API is marked local, but ${hostname} looks like a public address`;
  const hint =
    'directors with locality: local send the text of mails to this API; write locality: any here unless the server is yours';
  return [{ code: 'CONFIG_LOCAL_ADDRESS', path: ['locality'], message, hint }];
}

/** `link/tool-warnings.ts` reports unknown tools in calls. */
function checkScript(script: ScriptedApi['script']): Finding[] {
  return script.flatMap((rule, i) => {
    const path = ['script', i];
    const { text } = rule.when;
    const findings = text === undefined ? [] : checkPattern(text, [...path, 'when', 'text']);
    if ('say' in rule) return [...findings, ...checkTexts(rule.say, [...path, 'say'])];
    return [...findings, ...callsOf(rule.call, [...path, 'call']).flatMap(checkCall)];
  });
}

function checkCall({ call, path }: { readonly call: ScriptCall; readonly path: DocumentPath }): Finding[] {
  return checkTexts(call.arguments, [...path, 'arguments']);
}

/** Reports unknown `{{placeholders}}` in all strings inside `value`. */
function checkTexts(value: unknown, path: DocumentPath): Finding[] {
  return textsBelow(value, path).flatMap(({ text, at }) =>
    placeholders(text)
      .filter((name) => !SCRIPT_VARIABLES.some((known) => name === known) && !name.startsWith('lastToolResult.'))
      .map((name) => ({
        code: 'CONFIG_UNKNOWN_VARIABLE' as const,
        path: at,
        ...unknownVariable(name, [], SCRIPT_VARIABLES),
      })),
  );
}

/**
 * Reports `${env:NAME}` for a variable of the engine's own, and references in keys where they are not replaced. `link/` reports
 * references without a value.
 */
function checkReferences(typed: TypedDocument): Finding[] {
  return referencesBelow(typed).flatMap(({ reference, text, at, missing }): Finding[] => {
    if (missing === undefined) {
      const message = `${text} is not replaced by its value in this key; it stays literal text`;
      const hint = `references work only in ${referenceKeys(typed.kind).join(', ')}`;
      return [{ code: 'CONFIG_REFERENCE_LITERAL', path: at, message, hint }];
    }
    const isOwn = reference.source === 'env' && isOwnVariable(reference.name);
    return isOwn ? [ownVariable(reference.name, at)] : [];
  });
}

function ownVariable(name: string, path: DocumentPath): Finding {
  const message = `${name} is a variable of Callsheet itself, which no document may send to a server`;
  const hint = `use another name, or store the value with \`callsheet secrets set\` and write \${secret:NAME}`;
  return { code: 'CONFIG_ENV_OWN', path, message, hint };
}
