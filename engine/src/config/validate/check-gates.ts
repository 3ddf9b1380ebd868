import type { Director, ToolCatalog } from '../config.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { namesTool } from '../rule/match-rule.ts';
import { isFamily } from './links.ts';

type Gates = Pick<Director, 'guards' | 'checks'>;
type Catalog = Pick<ToolCatalog, 'tools'>;

/**
 * Checks the values of `guards` and `checks` that the schema cannot express: a family is no tool, only a meeting can be answered by
 * free times, and only a tool that changes something outside can prove a claim. Links report names that are no tools.
 */
export function checkGates({ guards, checks }: Gates, catalog: Catalog): Finding[] {
  return [
    ...guards.flatMap((guard, i) =>
      guard.tools.flatMap((name, n) => checkName(name, ['guards', i, 'tools', n], catalog)),
    ),
    ...checks.flatMap(({ claim, needs = [], otherwise }, i) => {
      const proofs: readonly (readonly [string, DocumentPath])[] =
        typeof needs === 'string'
          ? [[needs, ['checks', i, 'needs']]]
          : needs.map((name, n) => [name, ['checks', i, 'needs', n]]);
      return [
        ...(otherwise === 'offer-free-times' && claim !== 'meeting-scheduled' ? [noTimes(claim, i)] : []),
        ...proofs.flatMap(([name, path]) => [...checkName(name, path, catalog), ...checkProof(name, path, catalog)]),
      ];
    }),
  ];
}

function checkName(name: string, path: DocumentPath, catalog: Catalog): Finding[] {
  if (!isFamily(name, catalog) || catalog.tools.has(name)) return [];
  const message = `"${name}" is a family of tools, and this list takes tools`;
  const hint = path[0] === 'guards' ? `for the whole family write "${name}_*"` : 'name one of its tools';
  return [{ code: 'CONFIG_UNKNOWN_TOOL', path, message, hint }];
}

function noTimes(claim: string, i: number): Finding {
  const message = `free times cannot stand in place of the claim "${claim}"`;
  const hint = 'write otherwise: say-so, or claim: meeting-scheduled';
  return { code: 'CONFIG_VALUE', path: ['checks', i, 'otherwise'], message, hint };
}

function checkProof(name: string, path: DocumentPath, { tools }: Catalog): Finding[] {
  const tool = tools.get(name);
  if (tool === undefined || tool.effects === 'write') return [];
  const message = `"${name}" changes nothing outside Callsheet, so no call of it proves a claim`;
  return [{ code: 'CONFIG_VALUE', path, message, hint: 'name a tool that writes, such as calendar_add' }];
}

/**
 * Checks `sendDrafts: allow`: the threads of an objective are text of strangers, so nothing leaves unasked unless `untrusted.act` names
 * `mail_send` as well. Two keys, since each alone is written for other reasons too.
 */
export function checkSendDrafts({ mode, objective, untrusted }: Director): Finding[] {
  if (mode !== 'objective' || objective.sendDrafts !== 'allow') return [];
  if ((untrusted?.act ?? []).some((text) => namesTool(text, 'mail_send'))) return [];
  const message = 'sendDrafts: allow needs mail_send under untrusted.act: the threads have text of strangers';
  const hint = 'add untrusted: { act: [mail_send] }, or use sendDrafts: ask';
  return [{ code: 'CONFIG_VALUE', path: ['objective', 'sendDrafts'], message, hint }];
}
