import type { CatalogTool } from '../tool-name.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Unit } from './leak-units.ts';
import { overlaps, readsOf, writesOf } from './text-spaces.ts';

/** A step of text on its way: who has it, and by what. Either may be empty. */
export interface Hop {
  readonly who: string;
  readonly action: string;
}

type Documents = ReadonlyMap<string, ValidDocument>;

/**
 * The units that can read text of strangers, each with the shortest way of such text to it: a mail that a filter gives it, a message
 * of a program, a file that a person attaches to a question, a tool that reads elsewhere, or what a unit that can read such text leaves in memories, notebooks or reminders.
 */
export function untrustedRoutes(units: readonly Unit[], chosen: Documents): ReadonlyMap<Unit, readonly Hop[]> {
  const settings = settingsOf(chosen);
  const routes = new Map<Unit, readonly Hop[]>();
  const queue: Unit[] = [];
  const add = (unit: Unit, route: readonly Hop[]) => {
    if (routes.has(unit)) return;
    routes.set(unit, route);
    queue.push(unit);
  };
  const filters = filtersOf(chosen);
  for (const unit of units) {
    const route = ownRoute(unit, chosen, filters);
    if (route !== undefined) add(unit, route);
  }
  let readers = units
    .filter((unit) => !routes.has(unit))
    .map((unit) => ({ unit, reads: readsOf(unit, settings ?? {}) }));
  const written = new Set<string>();
  for (let at = 0; at < queue.length && readers.length > 0; at++) {
    const writer = queue[at];
    if (writer === undefined) break;
    const route = routes.get(writer) ?? [];
    for (const write of writesOf(writer)) {
      // Whoever reads what was written here before has a route already.
      const space = JSON.stringify(write.space);
      if (written.has(space)) continue;
      written.add(space);
      for (const { unit, reads } of readers) {
        const read = reads.find((one) => overlaps(one.space, write.space));
        if (read !== undefined) add(unit, [...route, write, read]);
      }
      readers = readers.filter(({ unit }) => !routes.has(unit));
    }
  }
  return routes;
}

/** How text of strangers gets to a unit from outside; undefined where it does not. */
function ownRoute(unit: Unit, chosen: Documents, filters: ReadonlyMap<string, string>): Hop[] | undefined {
  const { kind, lead, actors } = unit;
  const start: Hop = { who: lead.who, action: '' };
  if (kind === 'director') {
    const filter = filters.get(lead.value.id);
    if (filter !== undefined) return [{ who: '', action: `mail by filter ${filter}` }, start];
  }
  const source = actors.flatMap(({ tools }) => tools).find(({ tool }) => readsElsewhere(tool));
  if (source !== undefined) return [start, { who: source.who, action: source.name }];
  if (kind === 'director' && programsStartRuns(chosen))
    return [{ who: '', action: 'message of a program over callsheet mcp' }, start];
  const reader = actors.flatMap(({ tools }) => tools).find(({ tool }) => readsAttached(tool));
  if (kind === 'director' && reader !== undefined)
    return [{ who: '', action: 'file attached to a question' }, start, { who: reader.who, action: reader.name }];
  return undefined;
}

/** Whether a tool reads the files that a person attaches to a question, which strangers may have written. */
function readsAttached({ family, effects }: CatalogTool): boolean {
  return family === 'document' && effects === 'read';
}

/** Of each director that filters give mail: the first such filter. */
function filtersOf(chosen: Documents): Map<string, string> {
  const filters = new Map<string, string>();
  for (const { typed, isEnabled } of chosen.values())
    if (typed.kind === 'filter' && isEnabled)
      for (const director of [typed.value.directorId].flat())
        if (!filters.has(director)) filters.set(director, typed.value.id);
  return filters;
}

/** Whether a tool reads text of strangers. What our own tools say about a write is no such text. */
function readsElsewhere({ trust, effects }: CatalogTool): boolean {
  return trust === undefined ? effects === 'read' : trust === 'untrusted';
}

function programsStartRuns(chosen: Documents): boolean {
  const { allow, deny } = settingsOf(chosen)?.clients.mcp ?? { deny: [] };
  return allow?.includes('run_start') === true && !deny.includes('run_start');
}

function settingsOf(chosen: Documents) {
  const typed = chosen.get('settings')?.typed;
  return typed?.kind === 'settings' && chosen.get('settings')?.isEnabled === true ? typed.value : undefined;
}

/** A way as people read it: `mail by filter all → director boss mail_read → mail_send`. */
export function routeText(route: readonly Hop[]): string {
  const steps: string[] = [];
  route.forEach(({ who, action }, i) => {
    const before = route[i - 1];
    if (before?.who === who && (action === '' || before.action === action)) return;
    const step = before?.who === who ? action : [who, action].filter((part) => part !== '').join(' ');
    steps.push(step);
  });
  return steps.join(' → ');
}
