import type { Agent, Director } from '../config.ts';
import type { DocumentPath } from '../problem.ts';

/** An entry of a list of rules, and where it stands. */
export interface WrittenRule {
  readonly text: string;
  readonly path: DocumentPath;
}

/** All rules over tool calls that a document has: those of `permissions`, and those of `untrusted.act`. */
export function rulesOf({
  permissions,
  untrusted,
}: Pick<Director | Agent, 'permissions' | 'untrusted'>): WrittenRule[] {
  const lists = [
    ...(['allow', 'ask', 'deny'] as const).map((list) => [['permissions', list], permissions?.[list] ?? []] as const),
    [['untrusted', 'act'], untrusted?.act ?? []] as const,
  ];
  return lists.flatMap(([path, list]) => list.map((text, i) => ({ text, path: [...path, i] })));
}
