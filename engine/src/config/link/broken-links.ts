import type { ValidDocument } from '../validate/validate.ts';
import type { Link } from '../validate/links.ts';
import { type Finding, MAX_FINDINGS } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import type { ToolCatalog } from '../config.ts';
import { catalogTools, declaresName } from '../tool-name.ts';

/** The documents that links are checked against. */
export interface LinkTargets {
  /** The version that would run; undefined if there is none. */
  readonly get: (name: string) => ValidDocument | undefined;
  /** Whether there is a file for that document, valid or not. */
  readonly isThere: (name: string) => boolean;
  /** Names of all documents that would run. */
  readonly names: () => Iterable<string>;
  /** The built-in tools, for hints. */
  readonly tools: ToolCatalog['tools'];
}

/** A broken link. */
export interface BrokenLink {
  /** Name of the target: `agents/reply`. */
  readonly to: string;
  /** True if the target does not exist; false if it is disabled or does not fit the link. */
  readonly isMissing: boolean;
  readonly finding: Finding;
}

/** The broken links of a document. Links of a disabled document are not checked. */
export function brokenLinks(document: ValidDocument, targets: LinkTargets): BrokenLink[] {
  if (!document.isEnabled) return [];
  let broken: BrokenLink[] | undefined;
  for (const link of document.links) {
    const target = targets.get(link.to);
    // Nobody reads the hints of findings that are cut off, and composing them takes long in a large config.
    const known = (broken?.length ?? 0) > MAX_FINDINGS ? { ...targets, names: () => [] } : targets;
    const findings = target === undefined ? [missing(link, known)] : unfit(link, target);
    for (const finding of findings) (broken ??= []).push({ to: link.to, isMissing: target === undefined, finding });
  }
  return broken ?? [];
}

function missing(link: Link, targets: LinkTargets): Finding {
  const { path, kind, id, to } = link;
  if (targets.isThere(to)) {
    const message = `the file of ${kind} "${id}" has errors, and there is no earlier valid version to use`;
    return { code: 'CONFIG_DEPENDS_ON_INVALID', path, message, hint: `correct the errors in ${to}`, causedBy: to };
  }
  if (kind === 'tool') return noTool(link, targets);
  const prefix = to.slice(0, to.length - id.length);
  const ids = Array.from(targets.names()).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  const what =
    link.code === 'CONFIG_UNKNOWN_TOOL' ? `tool "agent__${id}": there is no agent "${id}"` : `${kind} "${id}"`;
  const hint = ids.length === 0 ? `create ${to}.yaml` : `create ${to}.yaml, or write ${listOf(ids.sort())}`;
  return { code: link.code, path, message: `no ${what}${didYouMean(id, ids)}`, hint };
}

/** A name in `tools` or `permissions` that no tool, family or document has. */
function noTool({ path, toolName = '' }: Link, targets: LinkTargets): Finding {
  const families = new Set(Array.from(targets.tools.values(), ({ family }) => family));
  const declared = Array.from(targets.names()).flatMap((name) => (name.startsWith('tools/') ? [name.slice(6)] : []));
  const isListed = path[0] === 'tools';
  const what = isListed ? 'tool or family' : 'tool';
  const names = [...(isListed ? families : []), ...targets.tools.keys(), ...declared];
  const message = `no ${what} "${toolName}"${didYouMean(toolName, names)}`;
  const hint = declared.length === 0 ? '' : `; declared tools: ${listOf(declared.sort())}`;
  return {
    code: 'CONFIG_UNKNOWN_TOOL',
    path,
    message,
    ...(isListed && { hint: `families: ${listOf(families)}${hint}` }),
  };
}

function unfit(link: Link, target: ValidDocument): Finding[] {
  if (link.toolName !== undefined && target.typed.kind === 'tool' && !declaresName(target.typed.value, link.toolName)) {
    const names = catalogTools(target.typed.value).map(([name]) => name);
    const message = `"${link.id}" has no tool "${link.toolName}"${didYouMean(link.toolName, names)}`;
    return [{ code: 'CONFIG_UNKNOWN_TOOL', path: link.path, message, hint: `its tools: ${listOf(names)}` }];
  }
  if (!target.isEnabled && link.disabled === 'need') {
    const message = `${link.kind} "${link.id}" is disabled`;
    return [{ code: 'CONFIG_DISABLED', path: link.path, message, hint: `enable ${link.to}, or write another id` }];
  }
  if (link.with === undefined || target.typed.kind !== 'prompt') return [];
  const known = Object.keys(target.typed.value.variables);
  return link.with
    .filter((name) => !known.includes(name))
    .map((name) => ({
      code: 'CONFIG_UNKNOWN_VARIABLE' as const,
      path: ['prompt', 'with', name],
      part: 'key' as const,
      message: `template "${link.id}" has no variable "${name}"${didYouMean(name, known)}`,
      hint: known.length === 0 ? 'the template has no variables' : `its variables: ${listOf(known)}`,
    }));
}

/** For each API in a cycle of fallbacks: the link that is part of the cycle. Disabled APIs are not part of a cycle. */
export function fallbackCycles(apis: Iterable<ValidDocument>, targets: LinkTargets): ReadonlyMap<string, BrokenLink> {
  const cycles = new Map<string, BrokenLink>();
  for (const api of apis) {
    for (const link of api.links) {
      const cycle = pathBack(link.to, api.name, targets);
      if (cycle === undefined) continue;
      const message = `the fallbacks form a cycle: ${[api.name, ...cycle].map((name) => name.slice('apis/'.length)).join(' → ')}`;
      const finding: Finding = {
        code: 'CONFIG_FALLBACK_CYCLE',
        path: link.path,
        message,
        hint: 'remove one of these fallbacks',
      };
      cycles.set(api.name, { to: link.to, isMissing: false, finding });
      break;
    }
  }
  return cycles;
}

/** The path from `from` to `to` along fallbacks, both included; undefined if there is none. */
function pathBack(from: string, to: string, targets: LinkTargets): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (name === to) return trace(name, cameFrom);
    const api = targets.get(name);
    if (api?.isEnabled !== true) continue;
    for (const link of api.links) {
      if (cameFrom.has(link.to)) continue;
      cameFrom.set(link.to, name);
      queue.push(link.to);
    }
  }
  return undefined;
}

function trace(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const names: string[] = [];
  for (let name: string | undefined = end; name !== undefined; name = cameFrom.get(name)) names.unshift(name);
  return names;
}
