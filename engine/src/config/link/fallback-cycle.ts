import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { BrokenLink } from './broken-link.ts';

type Documents = ReadonlyMap<string, ValidDocument>;

/** Of an enabled API: the first link that is part of a cycle of fallbacks. Disabled APIs are not part of a cycle. */
export function fallbackCycle(api: ValidDocument, chosen: Documents): BrokenLink | undefined {
  for (const link of api.links) {
    const cycle = pathBack(link.to, api.name, chosen);
    if (cycle === undefined) continue;
    const message = `the fallbacks form a cycle: ${[api.name, ...cycle].map((name) => name.slice('apis/'.length)).join(' → ')}`;
    const finding: Finding = {
      code: 'CONFIG_FALLBACK_CYCLE',
      path: link.path,
      message,
      hint: 'remove one of these fallbacks',
    };
    return { to: link.to, isMissing: false, finding };
  }
  return undefined;
}

/** The path from `from` to `to` along fallbacks, both included; undefined if there is none. */
function pathBack(from: string, to: string, chosen: Documents): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (name === to) return trace(name, cameFrom);
    const api = chosen.get(name);
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
