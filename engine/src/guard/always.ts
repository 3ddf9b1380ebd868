import { isRecord } from '../base/json.ts';
import type { Arguments } from '../tool/arguments.ts';
import type { OfferedTool } from '../tool/offered-tool.ts';
import type { AskReason } from './guard.ts';

/** A list of rules that an answer "always" adds a pattern to. */
export type RuleList = 'permissions.allow' | 'untrusted.act';

/** The lists of one document that made a call ask. */
export interface AlwaysTarget {
  readonly kind: 'director' | 'agent';
  readonly id: string;
  readonly lists: readonly RuleList[];
}

/** Arguments that say on whom or what a call acts. A suggested pattern is about these alone, not about what the call says. */
const ACTS_ON = ['to', 'cc', 'bcc', 'attendees', 'accountId', 'calendarId', 'notebook', 'path', 'from', 'url', 'label'];

/**
 * The lists that made a call ask. A sentence where no rule can change that: a rule of `permissions.ask` names the call, or a guard
 * asks that has no rules.
 */
export function alwaysTargets(asks: readonly AskReason[]): readonly AlwaysTarget[] | string {
  const lists = new Map<string, { kind: AlwaysTarget['kind']; id: string; lists: Set<RuleList> }>();
  for (const { guard, reason, rules } of asks) {
    if (rules.length === 0) return `no rule of the config can answer this: ${reason}`;
    for (const { kind, id, list, entry } of rules) {
      if (kind === 'settings') return `the settings decide this: ${reason}`;
      if (list === 'permissions.ask' && entry !== undefined)
        return `${kind} ${id} has "${entry}" in permissions.ask, which goes before any permission: change it there`;
      const wanted = list.startsWith('permissions.') ? 'permissions.allow' : list;
      if (wanted !== 'permissions.allow' && wanted !== 'untrusted.act') return `guard ${guard} asks: ${reason}`;
      const name = `${kind}/${id}`;
      const target = lists.get(name) ?? { kind, id, lists: new Set() };
      target.lists.add(wanted);
      lists.set(name, target);
    }
  }
  return Array.from(lists.values(), (target) => ({ ...target, lists: [...target.lists].sort() }));
}

/** A pattern that matches a call and others that act on the same: `mail_send(to=ann@example.org)`. `args`: as rules see them. */
export function suggestPattern({ name }: OfferedTool, args: Arguments): string {
  const patterns = ACTS_ON.flatMap((argument) => {
    const values = [args[argument]].flat().filter((value) => typeof value === 'string' && value !== '');
    const [value] = values;
    return values.length === 1 && isPlain(String(value)) ? [`${argument}=${String(value)}`] : [];
  });
  return patterns.length === 0 ? name : `${name}(${patterns.join(', ')})`;
}

/** Whether a value stands for itself in a pattern. */
function isPlain(value: string): boolean {
  return !/[*?,()[\]{}\n]/.test(value) && value.trim() === value;
}

/**
 * A document with a pattern in its lists. One that had no `permissions` also gets `ask` with the tools that asked because of that, so
 * that they are not denied from then on.
 */
export function withPattern(
  document: Readonly<Record<string, unknown>>,
  { lists }: AlwaysTarget,
  pattern: string,
  asking: readonly string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...document };
  for (const list of lists) {
    const [key = '', name = ''] = list.split('.');
    const before = isRecord(result[key]) ? result[key] : undefined;
    const rules = before?.[name];
    const known = Array.isArray(rules) ? (rules as unknown[]) : [];
    const added = known.includes(pattern) ? known : [...known, pattern];
    const asks = key === 'permissions' && before === undefined && asking.length > 0 ? { ask: asking } : {};
    result[key] = { ...before, [name]: added, ...asks };
  }
  return result;
}
