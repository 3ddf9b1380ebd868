import type { Finding } from '../problem.ts';
import { namesTool } from '../rule/match-rule.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';
import {
  actRule,
  asksAfterReading,
  type OpenTool,
  sendsOutward,
  type Unit,
  type UnitActor,
  unitOf,
} from './leak-units.ts';
import { type Hop, routeText, untrustedRoutes } from './untrusted-routes.ts';

/**
 * Warns about directors, and agents in sessions, through which text of strangers can make models read private data and send it
 * outward without an approval between (prompt injection), and tells the way of the text: over agents, memories, notebooks and MCP
 * servers. Warns about directors of mail and their agents, too, whose `allow` names a call that asks all the same.
 */
export function* exfiltrationWarnings(
  leads: readonly Lead[],
  chosen: ReadonlyMap<string, ValidDocument>,
): Iterable<[ValidDocument, Finding[]]> {
  // Finding the ways of text takes long, and in most configs nobody could be warned of.
  if (!leads.some(({ risk }) => isRisky(risk))) return;
  const routes = untrustedRoutes(
    leads.map(({ unit }) => unit),
    chosen,
  );
  const warned = new Set<string>();
  for (const { unit, risk } of leads) {
    const route = isRisky(risk) ? routes.get(unit) : undefined;
    if (route === undefined) continue;
    const leaks = leakNotes(unit, risk, route);
    if (leaks.length > 0) yield [unit.lead.document, leaks];
    if (!route[0]?.action.startsWith('mail by filter')) continue;
    for (const { actor, notes } of risk.asking) {
      const fresh = notes.filter(({ path }) => isNew(warned, actor, path));
      if (fresh.length > 0) yield [actor.document, fresh];
    }
  }
}

/** What a unit could be warned of if text of strangers reaches it. */
interface Risk {
  /** A call that sends something outward without an approval. */
  readonly sends: OpenTool | undefined;
  /** The steps that read private data. */
  readonly reads: readonly Hop[];
  /** Its actors that have findings of `asksAnyway`. */
  readonly asking: readonly { readonly actor: UnitActor; readonly notes: readonly Finding[] }[];
}

/** A unit, and what it could be warned of. */
export interface Lead {
  readonly unit: Unit;
  readonly risk: Risk;
}

/** The unit that a document leads; undefined if it leads none. */
export function leadOf(document: ValidDocument, others: Others): Lead | undefined {
  const unit = unitOf(document, others);
  return unit === undefined ? undefined : { unit, risk: riskOf(unit) };
}

function riskOf(unit: Unit): Risk {
  const free = unit.actors.flatMap(({ tools }) => tools).filter(({ isFree }) => isFree);
  const tools = free.filter(({ tool }) => tool.reach === 'private').map(({ who, name }) => ({ who, action: name }));
  const recalls = unit.actors.filter((actor) => actor.recalls).map(({ who }) => ({ who, action: '{{memories}}' }));
  const asking = unit.actors.map((actor) => ({ actor, notes: asksAnyway(unit, actor) }));
  return {
    sends: free.find((open) => sendsOutward(open) && !asksAfterReading(unit, open)),
    reads: [...tools, ...recalls],
    asking: asking.filter(({ notes }) => notes.length > 0),
  };
}

function isRisky({ sends, reads, asking }: Risk): boolean {
  return (sends !== undefined && reads.length > 0) || asking.length > 0;
}

/** Whether an agent of several directors has this finding for the first time. */
function isNew(warned: Set<string>, { who }: UnitActor, path: Finding['path']): boolean {
  const key = JSON.stringify([who, path]);
  if (warned.has(key)) return false;
  warned.add(key);
  return true;
}

function leakNotes({ lead }: Unit, { sends, reads }: Risk, route: readonly Hop[]): Finding[] {
  const last = route.at(-1);
  // The step by which the text came, if that is one that reads private data, or another.
  const read = reads.find(({ who, action }) => who === last?.who && action === last.action) ?? reads[0];
  if (read === undefined || sends === undefined) return [];
  const rule = actRule(lead, sends.name);
  const sent = { who: sends.who, action: `${sends.name}${rule >= 0 ? ' (untrusted.act)' : ''}` };
  return [
    {
      code: 'CONFIG_CAN_LEAK',
      path: rule >= 0 ? ['untrusted', 'act', rule] : ['id'],
      message: `text of strangers can make models read private data (${read.action}) and send it to others (${sends.name}) without approval: ${routeText([...route, read, sent])}`,
      hint: `take "${sends.name}" out of untrusted.act or put it under permissions.ask, or take away one of the steps`,
    },
  ];
}

/** Entries of `allow` that name a call which asks. Those of a director hold for the calls of its agents as well. */
function asksAnyway(unit: Unit, actor: UnitActor): Finding[] {
  const { lead, actors } = unit;
  const calls = (actor === lead ? actors : [actor]).flatMap(({ tools }) => tools).filter(({ isFree }) => isFree);
  return (actor.value.permissions?.allow ?? []).flatMap((text, i): Finding[] => {
    const asking = calls.filter((open) => namesTool(text, open.name) && asksAfterReading(unit, open));
    const names = [...new Set(asking.map(({ name }) => name))];
    if (names.length === 0) return [];
    const why = actor === lead ? 'this director works on mail' : `${lead.who}, which asks this agent, works on mail`;
    const message = `"${text}" allows ${names.join(', ')}, which asks a person all the same: ${why}`;
    const where = actor === lead ? 'untrusted' : `untrusted of ${lead.who}`;
    const hint = `name the call in ${where}: { act: [${names[0]}] } where text of strangers may lead to it, or put it under permissions.ask`;
    return [{ code: 'CONFIG_ASKS_ANYWAY', path: ['permissions', 'allow', i], message, hint }];
  });
}
