import type { Director } from './config.ts';
import { globTest } from '../base/glob.ts';

export type Permission = 'allow' | 'ask' | 'deny';

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const satisfies readonly Permission[];

/** What permissions say of a tool that is not our own, as `guard/permissions.ts` will judge a call of it. */
export function permissionOf(permissions: Director['permissions'], name: string, effects: string): Permission {
  for (const verdict of STRICTEST_FIRST)
    if (permissions?.[verdict]?.some((glob) => globTest(glob)(name)) === true) return verdict;
  if (effects !== 'write') return 'allow';
  return permissions === undefined ? 'ask' : 'deny';
}
