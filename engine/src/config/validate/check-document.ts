import { isNearby } from '../../base/network-host.ts';
import { isTimeZone, timeZones } from '../../base/time-zone.ts';
import { checkRegex } from '../../regex/regex.ts';
import type { Agent, Api, Director, Filter, ToolCatalog, TypedDocument } from '../config.ts';
import type { Condition, ScriptCall, ScriptedApi } from '../documents.gen.ts';
import { callsOf } from './script-calls.ts';
import { checkCloud } from './microsoft-cloud.ts';
import { checkImprint, checkPromptSource, checkTemplate } from './check-prompt.ts';
import { checkNotebooks, checkRoot } from './check-root.ts';
import { checkTools } from './check-tools.ts';
import type { OwnFolders } from '../own-folders.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { isOwnVariable } from '../own-variables.ts';
import type { PromptActor } from '../prompt/empty-variables.ts';
import { referenceKeys, referencesBelow, textsBelow } from './reference-keys.ts';
import { checkDeclaredTool } from './check-declared-tool.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
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
        ...checkZone(typed.value.calendar.timeZone),
        ...checkRoot(typed.value.virtualRoot, ['virtualRoot'], folders),
        ...checkNotebooks(typed.value.roots, folders),
      ];
    case 'account':
      return typed.value.provider === 'outlook' ? checkCloud(typed.value) : [];
    case 'api':
      return 'script' in typed.value ? checkScript(typed.value.script) : checkLocality(typed.value);
    case 'filter':
      return checkConditions(typed.value, []);
    case 'prompt':
      return checkTemplate(typed.value);
    case 'director':
      return [
        ...checkActor(typed.value, 'director'),
        ...checkTools(typed.value, typed.value.agents, catalog),
        ...checkRoot(typed.value.memory, ['memory'], folders),
      ];
    case 'agent':
      return [...checkActor(typed.value, 'agent'), ...checkTools(typed.value, undefined, catalog)];
    case 'tool':
      return checkDeclaredTool(typed.value, catalog);
    default:
      return typed satisfies never;
  }
}

function checkZone(name: string | undefined): Finding[] {
  if (name === undefined || isTimeZone(name)) return [];
  const message = `"${name}" is not a time zone${didYouMean(name, timeZones())}`;
  return [
    {
      code: 'CONFIG_VALUE',
      path: ['calendar', 'timeZone'],
      message,
      hint: 'write an IANA name such as Europe/Berlin',
    },
  ];
}

function checkActor({ prompt, imprint, scope }: Director | Agent, kind: PromptActor['kind']): Finding[] {
  const actor = { kind, hasScope: scope !== undefined };
  return [...checkPromptSource(prompt, actor), ...checkImprint(imprint, actor)];
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

/** Warns if an API is marked `local` but its address looks public. Only the user knows where the address leads. */
function checkLocality({ locality, baseUrl }: Exclude<Api, ScriptedApi>): Finding[] {
  if (locality !== 'local' || !URL.canParse(baseUrl)) return [];
  const { hostname } = new URL(baseUrl);
  if (isNearby(hostname)) return [];
  const message = `this API is marked local, but ${hostname} looks like a public address`;
  const hint =
    'directors marked local send mail text to this API; write locality: any unless the server is your own machine';
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
