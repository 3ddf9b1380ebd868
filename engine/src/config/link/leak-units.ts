import type { Agent, Director } from '../config.ts';
import { nameOf } from '../parse/read.ts';
import { OWN_FAMILIES, reachesWorld } from '../permissions.ts';
import { namesTool } from '../rule/match-rule.ts';
import { permissionOf } from '../rule/permission-of.ts';
import type { CatalogTool } from '../tool-name.ts';
import { isFamily } from '../validate/links.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/** A tool that an actor has and that no permission denies. */
export interface OpenTool {
  /** `director boss`, `agent helper`. */
  readonly who: string;
  readonly name: string;
  readonly tool: CatalogTool;
  /** No person is asked, as far as permissions say. */
  readonly isFree: boolean;
}

/** A director or an agent, as it works in one unit. */
export interface UnitActor {
  readonly who: string;
  readonly value: Director | Agent;
  /** The id of an agent; undefined for a director. */
  readonly agentId: string | undefined;
  readonly document: ValidDocument;
  readonly tools: readonly OpenTool[];
  /** Its prompt recalls memories. */
  readonly recalls: boolean;
}

/**
 * Actors that tell each other all they read: a director with its agents, or an agent in a session of a person. The file of the lead
 * decides what they may do after text of strangers was read.
 */
export interface Unit {
  readonly kind: 'director' | 'agent';
  readonly lead: UnitActor;
  /** The lead, and its agents. */
  readonly actors: readonly UnitActor[];
  /** Memories that it writes are read by other local runs only. */
  readonly isLocal: boolean;
}

/** The unit that a document leads; undefined if it leads none. */
export function unitOf(document: ValidDocument, others: Others): Unit | undefined {
  const { typed, isEnabled } = document;
  if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) return undefined;
  const members = typed.kind === 'director' ? [document, ...agentsOf(typed.value, others)] : [document];
  const actors = members.flatMap((member) => actorOf(member, document, others) ?? []);
  const [lead] = actors;
  const isLocal = typed.kind === 'director' && typed.value.locality === 'local';
  return lead === undefined ? undefined : { kind: typed.kind, lead, actors, isLocal };
}

/** The document whose messages an actor uses in its prompt; undefined where it has its own. */
function templateOf({ typed }: ValidDocument, others: Others): ValidDocument | undefined {
  if (typed.kind !== 'director' && typed.kind !== 'agent') return undefined;
  const { prompt } = typed.value;
  return prompt !== undefined && 'use' in prompt ? others.get(nameOf('prompt', prompt.use)) : undefined;
}

function agentsOf({ agents }: Director, others: Others): ValidDocument[] {
  return agents.flatMap((id) => {
    const agent = others.get(nameOf('agent', id));
    return agent?.isEnabled === true ? [agent] : [];
  });
}

function actorOf(document: ValidDocument, lead: ValidDocument, others: Others): UnitActor | undefined {
  const { typed } = document;
  if (typed.kind !== 'director' && typed.kind !== 'agent') return undefined;
  const { kind, value } = typed;
  const who = `${kind} ${value.id}`;
  const layers = [lead, document].flatMap(({ typed }) =>
    typed.kind === 'director' || typed.kind === 'agent' ? [typed.value] : [],
  );
  return {
    ...{ who, value, document, agentId: kind === 'agent' ? value.id : undefined },
    tools: [...openTools(who, value, layers, others)],
    recalls: recallsMemories(value, templateOf(document, others)?.typed),
  };
}

/** Tools that permissions do not deny: a call of an agent must pass its own permissions and those of its director. */
function* openTools(
  who: string,
  actor: Director | Agent,
  layers: readonly (Director | Agent)[],
  others: Others,
): Iterable<OpenTool> {
  const { catalog } = others;
  // No declared tool has the name of a built-in one or of its family, so most actors do not depend on the declared ones.
  const isBuiltIn = (name: string) => catalog.tools.has(name) || isFamily(name, catalog);
  for (const [name, tool] of actor.tools.every(isBuiltIn) ? catalog.tools : others.tools) {
    if (!actor.tools.includes(name) && !actor.tools.includes(tool.family)) continue;
    if (tool.operation !== undefined && !opens(actor, tool.operation)) continue;
    const facts = { name, effects: tool.effects, isOurs: OWN_FAMILIES.has(tool.family), asks: tool.asks };
    const found = layers.map(({ permissions }) => permissionOf(permissions, facts).permission);
    if (!found.includes('deny')) yield { who, name, tool, isFree: found.every((one) => one === 'allow') };
  }
}

/** Whether a scope opens any notebook to an operation; without one no notebook is open. */
function opens({ scope }: Director | Agent, operation: NonNullable<CatalogTool['operation']>): boolean {
  return scope !== undefined && scope.notebooks.length > 0 && scope.operations.includes(operation);
}

function recallsMemories({ prompt }: Director | Agent, template: ValidDocument['typed'] | undefined): boolean {
  if (prompt === undefined) return false;
  const messages = 'use' in prompt ? (template?.kind === 'prompt' ? template.value.messages : []) : prompt;
  return messages.some(({ content }) => /\{\{\s*memories\s*\}\}/.test(content));
}

/** Whether a call of a tool asks once text of strangers was read. */
export function asksAfterReading({ lead }: Unit, open: OpenTool): boolean {
  return reaches(open) && actRule(lead, open.name) < 0;
}

/** Whether a call sends something to others. A reminder goes to the user alone, wherever it is shown. */
export function sendsOutward(open: OpenTool): boolean {
  return open.tool.reach === 'outward' && reaches(open);
}

function reaches({ name, tool: { family, effects, reach } }: OpenTool): boolean {
  return reachesWorld({ name, effects, reach, isOurs: OWN_FAMILIES.has(family) });
}

/** Which entry of `untrusted.act` names a tool; -1 where none does. */
export function actRule({ value }: UnitActor, name: string): number {
  return (value.untrusted?.act ?? []).findIndex((text) => namesTool(text, name));
}
