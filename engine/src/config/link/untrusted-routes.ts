import type { Settings } from '../config.ts';
import type { CatalogTool } from '../tool-name.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { OpenTool, Unit } from './leak-units.ts';
import { isNotebook, overlaps, readsOf, type SpaceUse, writesOf } from './text-spaces.ts';

/** A step of text on its way: who has it, and by what. Either may be empty. */
export interface Hop {
  readonly who: string;
  readonly action: string;
}

type Documents = ReadonlyMap<string, ValidDocument>;

/** The ways of text into a unit and out of it, as far as its own files say. */
interface Flow {
  /** A tool that reads elsewhere. */
  readonly source: OpenTool | undefined;
  /** A tool that reads what a person attaches. */
  readonly attached: OpenTool | undefined;
  readonly writes: readonly SpaceUse[];
}

const flows = new WeakMap<Unit, Flow>();

function flowOf(unit: Unit): Flow {
  const before = flows.get(unit);
  if (before !== undefined) return before;
  const tools = unit.actors.flatMap((actor) => actor.tools);
  const flow = {
    source: tools.find(({ tool }) => readsElsewhere(tool)),
    attached: tools.find(({ tool }) => readsAttached(tool)),
    writes: writesOf(unit),
  };
  flows.set(unit, flow);
  return flow;
}

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
    const route = ownRoute(unit, flowOf(unit), { settings, filters });
    if (route !== undefined) add(unit, route);
  }
  const readers = units
    .filter((unit) => !routes.has(unit))
    .map((unit) => ({ unit, reads: readsOf(unit, settings ?? {}) }))
    .filter(({ reads }) => reads.length > 0);
  const bySpace = readersBySpace(readers);
  const written = new Set<string>();
  for (let at = 0; at < queue.length; at++) {
    const writer = queue[at];
    if (writer === undefined) break;
    const route = routes.get(writer) ?? [];
    for (const write of flowOf(writer).writes) {
      // Whoever reads what was written here before has a route already.
      if (written.has(write.space)) continue;
      written.add(write.space);
      for (const { unit, reads } of isNotebook(write.space) ? readers : (bySpace.get(write.space) ?? [])) {
        const read = reads.find((one) => overlaps(one.space, write.space));
        if (read !== undefined) add(unit, [...route, write, read]);
      }
    }
  }
  return routes;
}

interface Reader {
  readonly unit: Unit;
  readonly reads: readonly SpaceUse[];
}

/** The units that read each space, in their order. */
function readersBySpace(readers: readonly Reader[]): ReadonlyMap<string, readonly Reader[]> {
  const bySpace = new Map<string, Reader[]>();
  for (const reader of readers)
    for (const { space } of reader.reads) {
      const list = bySpace.get(space);
      if (list === undefined) bySpace.set(space, [reader]);
      else list.push(reader);
    }
  return bySpace;
}

/** How text of strangers gets to a unit from outside; undefined where it does not. */
function ownRoute(
  { kind, lead }: Unit,
  { source, attached }: Flow,
  given: { readonly settings: Settings | undefined; readonly filters: ReadonlyMap<string, string> },
): Hop[] | undefined {
  const start: Hop = { who: lead.who, action: '' };
  if (kind === 'director') {
    const filter = given.filters.get(lead.value.id);
    if (filter !== undefined) return [{ who: '', action: `mail by filter ${filter}` }, start];
  }
  if (source !== undefined) return [start, { who: source.who, action: source.name }];
  if (kind === 'director' && programsStartRuns(given.settings))
    return [{ who: '', action: 'message of a program over callsheet mcp' }, start];
  if (kind === 'director' && attached !== undefined)
    return [{ who: '', action: 'file attached to a question' }, start, { who: attached.who, action: attached.name }];
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

function programsStartRuns(settings: Settings | undefined): boolean {
  const { allow, deny } = settings?.clients.mcp ?? { deny: [] };
  return allow?.includes('run_start') === true && !deny.includes('run_start');
}

function settingsOf(chosen: Documents): Settings | undefined {
  const { typed, isEnabled } = chosen.get('settings') ?? {};
  return typed?.kind === 'settings' && isEnabled === true ? typed.value : undefined;
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
