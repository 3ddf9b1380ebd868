import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { isWithin } from '../../base/no-follow.ts';
import type { Permission, PermissionRules } from '../../config/permissions.ts';
import { hasArguments, namesTool } from '../../config/rule/match-rule.ts';
import { permissionOf } from '../../config/rule/permission-of.ts';
import type { CliPermission } from '../../model/model.ts';

/** What rules say about a permission request, and why in one sentence. */
export interface RuleAnswer {
  readonly permission: Permission;
  readonly reason: string;
}

/** Kinds of requests that have a name of their own. */
const KINDS: ReadonlySet<string> = new Set([
  ...['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode'],
]);
const STRICTNESS: Record<Permission, number> = { allow: 0, ask: 1, deny: 2 };
const PATH_NAME = /(?:path|file|folder|dir|directory|filename|cwd)s?$/i;
/** Other names under which tools give the path of a file. */
const PATH_ALIASES = ['file_path', 'filePath', 'abs_path', 'absolute_path', 'notebook_path', 'fileName', 'filename'];
/** What lets a shell do more than a pattern shows. */
const SHELL = /[;&|`$()<>\n\r\\]/;

/** The name by which rules know a request: `cli_` and its kind; `cli_other` for a kind that we do not know. */
export function permissionName({ kind }: Pick<CliPermission, 'kind'>): string {
  return `cli_${KINDS.has(kind) ? kind : 'other'}`;
}

/**
 * Judges a request by the rules of all documents; the strictest answer counts, and without a rule a person is asked. What cannot be known
 * for certain is never allowed: a request without input, which a rule of `deny` with patterns refuses, and a pattern for a
 * command that has more in it than one program. Paths below `dir`, by real path, count from there.
 */
export function checkRequest(
  documents: readonly (PermissionRules | undefined)[],
  request: CliPermission,
  dir: string,
): RuleAnswer {
  let strictest: RuleAnswer = { permission: 'allow', reason: '' };
  for (const rules of documents) {
    const one = judgeBy(withNames(rules), request, dir);
    if (strictest.reason === '' || STRICTNESS[one.permission] > STRICTNESS[strictest.permission]) strictest = one;
  }
  return strictest.reason === '' ? { permission: 'ask', reason: 'no rule names it' } : strictest;
}

function judgeBy(rules: PermissionRules | undefined, request: CliPermission, dir: string): RuleAnswer {
  const name = permissionName(request);
  if (request.input === undefined) return judgeUnknown(rules, name);
  const args = judgedArguments(request.input, dir);
  const { permission, rule, unmatched } = permissionOf(
    rules,
    { name, effects: 'write', isOurs: false, asks: true },
    args,
  );
  if (rule === undefined)
    return unmatched === undefined
      ? { permission: 'ask', reason: `no rule of its permissions names ${name}` }
      : { permission: 'ask', reason: `permissions.allow has "${unmatched}", which does not match this request` };
  if (permission === 'allow' && hasArguments(rule) && name === 'cli_execute' && SHELL.test(commandOf(args)))
    return { permission: 'ask', reason: `the command has more in it than one program, so "${rule}" does not allow it` };
  return { permission, reason: `permissions.${permission} has "${rule}"` };
}

function judgeUnknown(rules: PermissionRules | undefined, name: string): RuleAnswer {
  const denied = rules?.deny?.find((rule) => namesTool(rule, name));
  if (denied !== undefined)
    return {
      permission: 'deny',
      reason: `the tool does not say what it would do, and permissions.deny has "${denied}"`,
    };
  return { permission: 'ask', reason: 'the tool does not say what it would do' };
}

/** Rules may leave out `cli_`: no other tool is judged by them. */
function withNames(rules: PermissionRules | undefined): PermissionRules | undefined {
  if (rules === undefined) return undefined;
  const named = (list: readonly string[] = []) =>
    list.map((rule) => (/^(?:cli_|\*)/.test(rule) ? rule : `cli_${rule}`));
  return { allow: named(rules.allow), ask: named(rules.ask), deny: named(rules.deny) };
}

/** The input as rules see it. */
function judgedArguments(input: unknown, dir: string): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) return { input };
  const args = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, judged(key, value, dir)]));
  const alias = PATH_ALIASES.find((name) => name in args);
  return 'path' in args || alias === undefined ? args : { ...args, path: args[alias] };
}

function judged(key: string, value: unknown, dir: string): unknown {
  if (Array.isArray(value)) return value.map((one) => judged(key, one, dir));
  if (typeof value !== 'string' || !PATH_NAME.test(key) || value === '') return value;
  const real = realPathOf(isAbsolute(value) ? value : resolve(dir, value));
  return isWithin(real, dir) ? relative(dir, real) : real;
}

/** The real path, also of a file that is not there yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** All texts of a request to run something. */
function commandOf(args: Readonly<Record<string, unknown>>): string {
  const { command, cmd } = args;
  return [command, cmd].flat().map(String).join(' ');
}
