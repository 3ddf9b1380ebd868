import { posix } from 'node:path';
import type { Settings } from '../config.ts';
import { asksAfterReading, type OpenTool, type Unit, type UnitActor } from './leak-units.ts';

/** A place where one unit leaves text and another finds it, and how: `agent ann` by `memory_add (global)`. */
export interface SpaceUse {
  /** `global`, `local:ann`, `notebook:drafts`, `reminders`. In front of memories of local runs: `local run `. */
  readonly space: string;
  readonly who: string;
  readonly action: string;
}

/** The part of the settings that says where files lie. */
export type FileSettings = Partial<Pick<Settings, 'roots' | 'virtualRoot'>>;

const LOCAL_RUN = 'local run ';
const NOTEBOOK = 'notebook:';
/** Files below `virtualRoot`. */
const FILES = new Set(['filesystem', 'document']);

/** Where a unit can leave text with no approval, once it has read text of strangers. */
export function writesOf(unit: Unit): SpaceUse[] {
  return unit.actors.flatMap((actor) =>
    actor.tools.flatMap((open) => {
      if (!open.isFree || asksAfterReading(unit, open)) return [];
      const { who, name, tool } = open;
      const use = (space: string, action = name): SpaceUse => ({ space, who, action });
      if (name === 'reminder_create') return [use('reminders')];
      if (tool.operation !== undefined && tool.operation !== 'read') return notebooksOf(actor).map((one) => use(one));
      if (name !== 'memory_add' && name !== 'memory_edit') return [];
      const prefix = unit.isLocal ? LOCAL_RUN : '';
      const own = actor.agentId === undefined ? [] : [use(`${prefix}local:${actor.agentId}`, `${name} (local)`)];
      return [use(`${prefix}global`, `${name} (global)`), ...own];
    }),
  );
}

/** Where a unit finds text that others left. Reads that ask count: the text is not known before. */
export function readsOf(unit: Unit, settings: FileSettings): SpaceUse[] {
  return unit.actors.flatMap((actor) => [
    ...actor.tools.flatMap((open) => readsOfTool(unit, actor, open, settings)),
    ...(actor.recalls ? memoriesOf(unit, actor, '{{memories}}') : []),
  ]);
}

function readsOfTool(unit: Unit, actor: UnitActor, { who, name, tool }: OpenTool, settings: FileSettings): SpaceUse[] {
  const use = (space: string): SpaceUse => ({ space, who, action: name });
  if (name === 'memory_search') return memoriesOf(unit, actor, name);
  if (name === 'reminder_list') return [use('reminders')];
  if (tool.operation === 'read') return notebooksOf(actor).map(use);
  if (FILES.has(tool.family)) return notebooksIn(settings).map(use);
  return [];
}

/** The spaces that other units may write as well. Local memories of a director, and shared ones, stay in the unit. */
function memoriesOf({ isLocal }: Unit, { who, value, agentId }: UnitActor, action: string): SpaceUse[] {
  const agents = [...(agentId === undefined ? [] : [agentId]), ...value.memoryAccess];
  const spaces = ['global', ...agents.map((id) => `local:${id}`)];
  const all = isLocal ? [...spaces, ...spaces.map((space) => LOCAL_RUN + space)] : spaces;
  return all.map((space) => ({ space, who, action }));
}

function notebooksOf({ value: { scope } }: UnitActor): string[] {
  return (scope?.notebooks ?? []).map((name) => NOTEBOOK + name);
}

/** The notebooks whose files lie below `virtualRoot`, or the other way round. */
function notebooksIn({ roots = {}, virtualRoot }: FileSettings): string[] {
  if (virtualRoot === undefined) return [];
  const whole = (path: string) => `${posix.normalize(path).replace(/\/+$/, '')}/`;
  const root = whole(virtualRoot);
  return Object.entries(roots).flatMap(([name, path]) => {
    const folder = whole(path);
    // Where only one of the paths is absolute, nobody knows here.
    const isUnknown = posix.isAbsolute(folder) !== posix.isAbsolute(root);
    return isUnknown || root === './' || folder.startsWith(root) || root.startsWith(folder) ? [NOTEBOOK + name] : [];
  });
}

/** Whether a space is a notebook, which `*` names as well. */
export function isNotebook(space: string): boolean {
  return space.startsWith(NOTEBOOK);
}

/** Whether what is left in one space is found in another. */
export function overlaps(a: string, b: string): boolean {
  if (a === b) return true;
  const whole = `${NOTEBOOK}*`;
  return isNotebook(a) && isNotebook(b) && (a === whole || b === whole);
}
