import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import { globTest } from '../../base/glob.ts';
import type { ToolCatalog } from '../config.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { type ArgumentPattern, parseRule, THREAD } from '../rule/parse-rule.ts';

type Tools = ToolCatalog['tools'];
type NamedTool = readonly [string, NonNullable<ReturnType<Tools['get']>>];

/**
 * Checks the patterns for arguments of a rule, in `permissions` and in every other list of the same form: that they can be read,
 * and that the tools which the rule names have these arguments. Only tools of `tools` are checked.
 */
export function checkRuleArguments(text: string, path: DocumentPath, tools: Tools): Finding[] {
  const rule = parseRule(text);
  if ('fault' in rule)
    return [
      finding(
        path,
        `"${text}" is no rule: ${rule.fault}`,
        'write tool(argument=pattern), such as mail_send(to=*@example.org)',
      ),
    ];
  const matches = globTest(rule.tool);
  const named = [...tools].filter(([name]) => matches(name));
  if (named.length === 0) return [];
  return rule.arguments.flatMap((pattern) => checkPattern(pattern, rule.tool, path, named));
}

function checkPattern(
  { name, pattern }: ArgumentPattern,
  glob: string,
  path: DocumentPath,
  named: readonly NamedTool[],
): Finding[] {
  const argument = name.split('.')[0] ?? name;
  const lists = named.map(([, tool]) => tool.arguments);
  if (!lists.some((list) => list === undefined || list.includes(argument))) {
    const known = [...new Set(lists.flatMap((list) => list ?? []))];
    const hint = known.length === 0 ? 'it has no arguments' : `its arguments: ${listOf(known, 20)}`;
    const message = `"${glob}" has no argument "${argument}"${didYouMean(argument, known)}`;
    // A glob may also name tools that are declared elsewhere.
    if (glob.includes('*')) return [{ code: 'CONFIG_RULE_UNMATCHED', path, message, hint }];
    return [finding(path, message, hint)];
  }
  const isAddress = named.every(([, tool]) => tool.recipients?.includes(name) === true);
  if (isAddress && !isAddressPattern(pattern))
    return [finding(path, `"${name}" holds mail addresses, and "${pattern}" matches none`, addressHint(pattern))];
  return [];
}

function isAddressPattern(pattern: string): boolean {
  return pattern === '*' || pattern.startsWith('**') || pattern === THREAD || /^[^@]+@[^@]+$/.test(pattern);
}

function addressHint(pattern: string): string {
  const domain = pattern.replace(/^[@*]+/, '');
  return `write ${domain.includes('.') && !domain.includes('@') ? `*@${domain}` : '*@example.org, or ann@example.org'}`;
}

function finding(path: DocumentPath, message: string, hint: string): Finding {
  return { code: 'CONFIG_RULE', path, message, hint };
}
