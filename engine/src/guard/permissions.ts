import { globTest } from '../base/glob.ts';

/** Lists of globs over tool names, as directors and agents carry them. */
export interface Permissions {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export type Verdict = 'allow' | 'ask' | 'deny';

/** One document that has a say: an agent, its director, or the newest version of either. */
export interface Layer {
  /** `director boss`, for people. */
  readonly who: string;
  readonly permissions: Permissions | undefined;
}

export interface PermissionCheck {
  readonly verdict: Verdict;
  /** Why, in words that a model and a person can read. */
  readonly reason: string;
}

const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

/**
 * Judges one call of a tool: in each layer deny, then ask, then allow; over all layers the strictest wins (design.md,
 * Safety). `isOurs` is discovery, workspace and `agent__x`: allowed unless a rule says otherwise, and so are declared
 * reads. Any other tool that no rule names asks where there are no permissions and is denied where there are.
 */
export function checkPermission(
  tool: { name: string; effects: 'none' | 'read' | 'write'; isOurs: boolean },
  layers: readonly Layer[],
): PermissionCheck {
  let strictest: PermissionCheck = { verdict: 'allow', reason: '' };
  for (const layer of layers) {
    const judgement = judgeLayer(tool, layer);
    if (STRICTNESS[judgement.verdict] > STRICTNESS[strictest.verdict]) strictest = judgement;
  }
  return strictest;
}

function judgeLayer(
  tool: { name: string; effects: string; isOurs: boolean },
  { who, permissions }: Layer,
): PermissionCheck {
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = permissions?.[verdict]?.find((glob) => globTest(glob)(tool.name));
    if (rule !== undefined) return { verdict, reason: `${who}: permissions.${verdict} has "${rule}"` };
  }
  if (tool.isOurs || tool.effects === 'read') return { verdict: 'allow', reason: `${who}: allowed unless denied` };
  if (permissions === undefined) return { verdict: 'ask', reason: `${who}: has no permissions, so every write asks` };
  return { verdict: 'deny', reason: `${who}: no rule of its permissions names it` };
}
