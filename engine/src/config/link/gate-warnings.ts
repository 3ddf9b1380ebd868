import { globTest } from '../../base/glob.ts';
import { listOf } from '../../base/did-you-mean.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/** Warns about patterns of `guards` that match no tool: such a gate stands before nothing. */
export function gateWarnings({ typed }: ValidDocument, others: Others): Finding[] {
  if (typed.kind !== 'director') return [];
  return typed.value.guards.flatMap((guard, i) =>
    guard.tools.flatMap((glob, n): Finding[] => {
      if (!glob.includes('*')) return [];
      const names = [...others.tools.keys()];
      if (names.some(globTest(glob))) return [];
      return [
        {
          ...{ code: 'CONFIG_GLOB_UNMATCHED', path: ['guards', i, 'tools', n] },
          message: `"${glob}" matches no tool, so this gate stands before nothing`,
          hint: `tools: ${listOf(names)}`,
        },
      ];
    }),
  );
}
