import type { ValidDocument } from '../validate/validate.ts';
import type { Link } from '../validate/links.ts';
import type { Finding } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';

/** What links are followed in. */
export interface LinkTargets {
  /** The version that would run, or undefined. */
  readonly get: (name: string) => ValidDocument | undefined;
  /** Whether there is a file of that name, valid or not. */
  readonly isThere: (name: string) => boolean;
  /** Every name that would run. */
  readonly names: () => Iterable<string>;
}

/** A link that does not hold, and what it leads to. */
export interface BrokenLink {
  readonly to: string;
  /** There is no such document; otherwise it is not fit for the link. */
  readonly isMissing: boolean;
  readonly finding: Finding;
}

/** Links of a document that do not hold in `world`. Those of a disabled document are nobody's trouble. */
export function brokenLinks(document: ValidDocument, targets: LinkTargets): BrokenLink[] {
  if (!document.isEnabled) return [];
  let broken: BrokenLink[] | undefined;
  for (const link of document.links) {
    const target = targets.get(link.to);
    const findings = target === undefined ? [missing(link, targets)] : unfit(link, target);
    for (const finding of findings) (broken ??= []).push({ to: link.to, isMissing: target === undefined, finding });
  }
  return broken ?? [];
}

function missing(link: Link, targets: LinkTargets): Finding {
  const { path, kind, id, to } = link;
  if (targets.isThere(to)) {
    const message = `${kind} "${id}" has errors itself and no earlier version that runs`;
    return { code: 'CONFIG_DEPENDS_ON_INVALID', path, message, hint: `correct ${to}` };
  }
  const prefix = to.slice(0, to.length - id.length);
  const ids = Array.from(targets.names()).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  const what =
    link.code === 'CONFIG_UNKNOWN_TOOL' ? `tool "agent__${id}": there is no agent "${id}"` : `${kind} "${id}"`;
  const hint = ids.length === 0 ? `create ${to}.yaml` : `create ${to}.yaml, or name ${listOf(ids.sort())}`;
  return { code: link.code, path, message: `no ${what}${didYouMean(id, ids)}`, hint };
}

function unfit(link: Link, target: ValidDocument): Finding[] {
  if (!target.isEnabled && link.disabled === 'need') {
    const message = `${link.kind} "${link.id}" is disabled`;
    return [{ code: 'CONFIG_DISABLED', path: link.path, message, hint: `enable ${link.to}, or name another one` }];
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

/** For each API that is its own fallback in the end: the link that closes the circle. A disabled one is left out of fallbacks. */
export function fallbackCycles(apis: Iterable<ValidDocument>, targets: LinkTargets): ReadonlyMap<string, BrokenLink> {
  const cycles = new Map<string, BrokenLink>();
  for (const api of apis) {
    for (const link of api.links) {
      const circle = pathBack(link.to, api.name, targets);
      if (circle === undefined) continue;
      const message = `the fallbacks form a circle: ${[api.name, ...circle].map((name) => name.slice('apis/'.length)).join(' → ')}`;
      const finding: Finding = {
        code: 'CONFIG_FALLBACK_CYCLE',
        path: link.path,
        message,
        hint: 'remove one of them',
      };
      cycles.set(api.name, { to: link.to, isMissing: false, finding });
      break;
    }
  }
  return cycles;
}

/** Names from `from` to `to` along fallbacks, both included, or undefined. */
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
