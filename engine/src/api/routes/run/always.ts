import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { EngineError } from '../../../base/error.ts';
import { canonicalJson, sha256 } from '../../../base/json.ts';
import type { DraftDocument } from '../../../config/config.ts';
import { withPattern } from '../../../guard/always.ts';
import type { Services } from '../../api.ts';

/** What "always" would change, as a person sees it first. */
export interface AlwaysChanges {
  readonly pattern: string;
  /** Hash of the changes. Whoever applies them repeats it. */
  readonly seen: string;
  readonly changes: readonly {
    readonly kind: 'director' | 'agent';
    readonly id: string;
    readonly file: string;
    readonly diff: string;
  }[];
}

interface Edit {
  readonly kind: 'director' | 'agent';
  readonly id: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly draft: DraftDocument;
}

type Deps = Pick<Services, 'engine' | 'config'>;

/** The changes of the config that allow calls like that of an approval always. Errors as in `planAlways`, and of `draft`. */
export async function alwaysChanges(deps: Deps, approvalId: string, pattern?: string): Promise<AlwaysChanges> {
  const { pattern: chosen, edits } = await readEdits(deps, approvalId, pattern);
  return { pattern: chosen, seen: seenOf(chosen, edits), changes: edits.map(showEdit) };
}

/**
 * Writes these changes. `BAD_REQUEST` without `seen`; `CONFLICT` where they are no longer those that the person has seen. Returns the
 * pattern.
 */
export async function applyAlways(
  deps: Deps,
  approvalId: string,
  { pattern, seen }: { readonly pattern?: string | undefined; readonly seen?: string | undefined },
): Promise<string> {
  if (seen === undefined)
    throw new EngineError('BAD_REQUEST', '"always" changes the config, and needs "seen"', {
      hint: `show the changes of GET /api/approvals/${approvalId}/always first, and send their "seen"`,
    });
  const { pattern: chosen, edits } = await readEdits(deps, approvalId, pattern);
  if (seenOf(chosen, edits) !== seen)
    throw new EngineError('CONFLICT', 'the changes are no longer those that were shown', {
      hint: 'look at them again',
    });
  for (const { kind, id, value, draft } of edits)
    if (draft.before !== draft.after) await deps.config.write(kind, id, value, { expectedHash: draft.hash });
  return chosen;
}

async function readEdits({ engine, config }: Deps, approvalId: string, pattern: string | undefined) {
  const plan = await engine.planAlways(approvalId, pattern);
  const edits: Edit[] = [];
  for (const target of plan.targets) {
    const { kind, id, asking } = target;
    const value = withPattern({ ...config.read(kind, id).value }, target, plan.pattern, asking);
    const [draft] = await config.draft([{ kind, id, value }]);
    if (draft !== undefined) edits.push({ kind, id, value, draft });
  }
  return { pattern: plan.pattern, edits };
}

function seenOf(pattern: string, edits: readonly Edit[]): string {
  return sha256(canonicalJson([pattern, edits.map(({ draft }) => draft)]));
}

function showEdit({ kind, id, draft: { file, before, after } }: Edit): AlwaysChanges['changes'][number] {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return { kind, id, file, diff: createTwoFilesPatch(file, file, before, after, '', '', options) };
}
