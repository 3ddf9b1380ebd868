import { globTest } from '../../base/glob.ts';
import type { Snapshot } from '../../config/config.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { KeptKind, PrivateKind } from '../privacy/private-span.ts';
import type { RecognizerSettings } from '../privacy/recognizer-service.ts';

/** What models must not see in a run, and which tools get it all the same. */
export interface PrivacyPolicy {
  readonly redact: readonly PrivateKind[];
  readonly keep: readonly KeptKind[];
  /** Patterns over names of tools; a tool gets real values where a pattern of each list names it. */
  readonly restoreIn: readonly (readonly string[])[];
  /** Services that are asked as well. */
  readonly recognizers: readonly RecognizerSettings[];
}

/** Families whose reads get real values without a word: they search what is the user's own. */
const OWN_READS: ReadonlySet<string> = new Set([
  ...['mail', 'calendar', 'todo', 'reminder', 'document', 'notebook', 'filesystem'],
]);
/** Families whose writes get them, too: only the user sees what they write. */
const OWN_WRITES: ReadonlySet<string> = new Set(['workspace', 'memory', 'notification', 'person']);

/** What decides whose rules hold in a run. */
interface PrivateRun {
  readonly directorId: string;
  readonly agentId?: string | undefined;
  /** `privateFor`: agents whose rules hold though others do the work. */
  readonly trigger?: { readonly privateFor?: readonly string[] };
}

/**
 * The privacy of a run: that of its director and of all agents that it may ask. In a session that a person opened with an agent, and in
 * its turn of a chat, it is that of the agent and of all directors that may ask the agent: what any of them redacts is redacted, and only
 * what all of them name is restored. Undefined: there is none.
 */
export function privacyOf(
  { directors, agents, settings }: Pick<Snapshot, 'directors' | 'agents' | 'settings'>,
  { directorId, agentId = '', trigger }: PrivateRun,
): PrivacyPolicy | undefined {
  const named = [agentId, ...(trigger?.privateFor ?? [])];
  const asking =
    directorId === ''
      ? [...directors.values()].filter((director) => director.agents.some((id) => named.includes(id)))
      : [directors.get(directorId)];
  const asked = directorId === '' ? named : (asking[0]?.agents ?? []);
  const rules = [...asking, ...asked.map((id) => agents.get(id))].flatMap((one) => one?.privacy ?? []);
  if (rules.length === 0) return undefined;
  const [first] = rules;
  return {
    redact: [...new Set(rules.flatMap(({ redact }) => redact))],
    keep: first?.keep.filter((kind) => rules.every(({ keep }) => keep.includes(kind))) ?? [],
    restoreIn: rules.map(({ restoreIn }) => restoreIn),
    recognizers: recognizersOf(rules.map(({ recognizer }) => recognizer ?? settings.privacy.recognizer)),
  };
}

/** Each service once. */
function recognizersOf(all: readonly (RecognizerSettings | undefined)[]): RecognizerSettings[] {
  const named = all.filter((one) => one !== undefined);
  return [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
}

/** Whether a tool gets real values in place of placeholders. */
export function restoresIn({ restoreIn }: PrivacyPolicy, tool: OfferedTool): boolean {
  if ('kind' in tool) return true;
  const { name, family, effects } = tool;
  if (OWN_WRITES.has(family) || (effects !== 'write' && OWN_READS.has(family))) return true;
  return restoreIn.every((patterns) => patterns.some((pattern) => globTest(pattern)(name)));
}
