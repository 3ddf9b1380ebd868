import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { ROUND_MACHINE } from '../engine/src/chat/round/round-state.ts';
import { MODES } from '../engine/src/run/mode/registry.ts';

/**
 * `npm run generate`: draws every machine into `docs/machines.md`. With `--check` it writes nothing, and fails
 * where the page is not what the machines are.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/machines.md';

const HEAD = `# Machines

The state machines of \`engine/machines/\`, drawn from their definitions by \`npm run generate\`. An arrow has the event that it follows
from, the guard in brackets, and \`after\` with the name of a delay. States with _(parked)_ wait for something outside, and cost no memory.
`;

/** Every machine: those of the mode registry, and that of group chats. */
export const MACHINES: readonly AnyStateMachine[] = [
  ...Array.from(MODES.values(), ({ machine }) => machine),
  ROUND_MACHINE,
];

/** The page, as the machines are now. */
export function diagramsPage(machines: readonly AnyStateMachine[]): string {
  const sections = machines
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((machine) => `## ${machine.id}\n\nVersion ${machine.version ?? ''}.\n\n${diagramOf(machine)}`);
  return `${[HEAD.trimEnd(), ...sections].join('\n\n')}\n`;
}

function diagramOf({ root: top }: AnyStateMachine): string {
  const anywhere = '  state "any state" as anywhere';
  return ['```mermaid', 'stateDiagram-v2', anywhere, ...linesOf(top, '  '), ...arrowsOf(top, '  '), '```'].join('\n');
}

/** The states below a node, each with what is inside it. */
function linesOf(node: AnyStateNode, indent: string): string[] {
  const children = Object.values(node.states);
  const initial = node.type === 'compound' ? node.initial.target?.[0] : undefined;
  const first = initial === undefined ? [] : [`${indent}[*] --> ${nameOf(initial)}`];
  const states = children.map((child) => stateLines(child, indent));
  // Regions of a parallel state stand side by side.
  const parts =
    node.type === 'parallel'
      ? states.flatMap((lines, n) => (n === 0 ? lines : [`${indent}--`, ...lines]))
      : states.flat();
  return [...first, ...parts];
}

function stateLines(node: AnyStateNode, indent: string): string[] {
  const label = node.tags.includes('parked') ? `${node.key} (parked)` : node.key;
  const head = `${indent}state "${label}" as ${nameOf(node)}`;
  if (Object.keys(node.states).length > 0) return [`${head} {`, ...linesOf(node, `${indent}  `), `${indent}}`];
  return node.type === 'final' ? [head, `${indent}${nameOf(node)} --> [*]`] : [head];
}

/** The arrows out of a node and of all nodes below it. Arrows of the machine itself begin at a state that stands for any other. */
function arrowsOf(node: AnyStateNode, indent: string): string[] {
  const own = [...node.transitions.values()].flat();
  const always = node.always ?? [];
  const lines = [...own, ...always].flatMap((transition) => arrow(node, transition, indent));
  return [...new Set([...lines, ...Object.values(node.states).flatMap((child) => arrowsOf(child, indent))])];
}

function arrow(node: AnyStateNode, transition: AnyTransitionDefinition, indent: string): string[] {
  const { eventType, guard, target } = transition;
  const when = eventType === '' ? 'always' : eventType.replace(/^xstate\.after\.([^.]+)\..*$/, 'after $1');
  const guardName =
    guard === undefined ? '' : ` [${typeof guard === 'string' ? guard : (guard as { type: string }).type}]`;
  // What changes no state is no arrow.
  return (target ?? []).map((to) => `${indent}${nameOf(node)} --> ${nameOf(to)}: ${when}${guardName}`);
}

/** A name that mermaid takes: the path of a state; `anywhere` for the machine itself. */
function nameOf({ path }: AnyStateNode): string {
  return path.length === 0 ? 'anywhere' : path.join('_');
}

function main(isCheck: boolean): void {
  const page = diagramsPage(MACHINES);
  const file = join(root, PAGE);
  if (!isCheck) return writeFileSync(file, page);
  if (readFileSync(file, 'utf8') === page) return;
  process.stderr.write(`${PAGE} does not show the machines as they are: npm run generate\n`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.includes('--check'));
