import { globTest } from '../../base/glob.ts';
import { listOf } from '../../base/did-you-mean.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** Warns about patterns of `guards` that match no tool: such a gate stands before nothing. */
export function* gateWarnings(
  chosen: ReadonlyMap<string, ValidDocument>,
  tools: ReadonlyMap<string, unknown>,
): Iterable<[ValidDocument, Finding[]]> {
  const names = [...tools.keys()];
  for (const document of chosen.values()) {
    const { typed } = document;
    if (typed.kind !== 'director') continue;
    const notes = typed.value.guards.flatMap((guard, i) =>
      guard.tools.flatMap((glob, n): Finding[] => {
        if (!glob.includes('*') || names.some(globTest(glob))) return [];
        const message = `"${glob}" matches no tool, so this gate stands before nothing`;
        return [
          { code: 'CONFIG_GLOB_UNMATCHED', path: ['guards', i, 'tools', n], message, hint: `tools: ${listOf(names)}` },
        ];
      }),
    );
    if (notes.length > 0) yield [document, notes];
  }
}
