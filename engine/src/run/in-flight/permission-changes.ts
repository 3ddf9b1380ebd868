import type { Permission } from '../../config/permissions.ts';
import type { PermissionRow } from '../step/permission-table.ts';

const VERB: Readonly<Record<Permission, string>> = { allow: 'runs', ask: 'asks', deny: 'is denied' };

/** The newest version of a document is the same document. */
const withoutNewest = (text: string) => text.replaceAll(' (newest)', '');

/** The differences between two tables of permissions, one sentence each. */
export function permissionChanges(before: readonly PermissionRow[], after: readonly PermissionRow[]): string[] {
  const key = ({ tool, caller }: PermissionRow) => `${caller.kind} ${caller.id}\0${tool}`;
  const earlier = new Map(before.map((row) => [key(row), row]));
  const later = new Set(after.map(key));
  const gone = before.filter((row) => !later.has(key(row))).map((row) => `${nameOf(row)} is no longer offered`);
  return [...gone, ...after.flatMap((row) => changesOf(earlier.get(key(row)), row))];
}

function changesOf(before: PermissionRow | undefined, after: PermissionRow): string[] {
  const name = nameOf(after);
  const reason = withoutNewest(after.reason);
  if (before === undefined) return [`${name} is new and ${VERB[after.permission]}`];
  if (before.permission !== after.permission)
    return [`${name} ${VERB[after.permission]} and no longer ${VERB[before.permission]}: ${reason}`];
  const rules = ({ cases }: PermissionRow) => new Set(cases.map((one) => withoutNewest(one.reason)));
  const [had, has] = [rules(before), rules(after)];
  return [
    ...[...has.difference(had)].map((rule) => `${name} has a new rule: ${rule}`),
    ...[...had.difference(has)].map((rule) => `${name} has lost a rule: ${rule}`),
  ];
}

function nameOf({ tool, caller }: PermissionRow): string {
  return `${tool} of ${caller.kind} ${caller.id}`;
}
