import { globTest } from '../base/glob.ts';
import type { DecidingRule, Guard, GuardContext, UserMessage, Verdict } from './guard.ts';
import { directorsOf, type RulingContext } from './ruling-directors.ts';
import { countTimes } from './time/find-times.ts';

/**
 * The scheduling gate (seed 003): refuses a call until the user has named a day or a time in their own words since the last such
 * call; each day or time that they name stands for one call of each tool. Without words of a user it asks a person.
 */
export const needsTimeGuard: Guard = {
  name: 'needsTime',
  async check({ tool: { name } }, context) {
    const rules = gatesBefore(name, context);
    if (rules.length === 0) return { decision: 'pass' };
    const { isOpen, hasWords } = await openFor(name, context.userWords());
    if (isOpen) return { decision: 'pass', rules };
    if (hasWords) return refusal(name, rules);
    const reason = `${name} needs a day or time that a user has named, and no user has written in this run`;
    return { decision: 'ask', reason, rules };
  },
};

/** Of these tools those for which the user has named no day or time since their last call; none where no user has written. */
export async function needsNamedTime(
  tools: readonly string[],
  { userWords }: Pick<GuardContext, 'userWords'>,
): Promise<ReadonlySet<string>> {
  const needing = new Set<string>();
  const counted = new Map<string, number>();
  const count = async (text: string) => {
    const times = counted.get(text) ?? (await countTimes(text));
    counted.set(text, times);
    return times;
  };
  for (const tool of tools) {
    const { isOpen, hasWords } = await openFor(tool, userWords(), count);
    if (hasWords && !isOpen) needing.add(tool);
  }
  return needing;
}

/** Whether a gate stands before a tool. */
export function isGated(tool: string, context: RulingContext): boolean {
  return gatesBefore(tool, context).length > 0;
}

function refusal(name: string, rules: readonly DecidingRule[]): Verdict {
  const reason = `"${name}" needs a day or a time that the user has named in their own words since the last call of it, and there is none`;
  const hint =
    'ask the user for day and time and finish; do not choose a time yourself, and do not call it before they answer';
  return { decision: 'refuse', code: 'TOOL_NEEDS_TIME', reason, hint, rules };
}

/** Reads the messages from the newest one, up to the first that was followed by a call: what is older was used up by that call. */
async function openFor(
  tool: string,
  messages: AsyncIterable<UserMessage>,
  count = countTimes,
): Promise<{ readonly isOpen: boolean; readonly hasWords: boolean }> {
  let hasWords = false;
  for await (const { text, calls } of messages) {
    hasWords = true;
    const used = Object.hasOwn(calls, tool) ? (calls[tool] ?? 0) : 0;
    if ((await count(text)) > used) return { isOpen: true, hasWords };
    if (used > 0) break;
  }
  return { isOpen: false, hasWords };
}

/** The rules of directors that put a tool behind the gate. */
function gatesBefore(tool: string, context: RulingContext): readonly DecidingRule[] {
  return directorsOf(context).flatMap(({ director, isNewest }) =>
    director.guards.flatMap(({ tools }) =>
      tools
        .filter((pattern) => globTest(pattern)(tool))
        .map((entry) => ({ kind: 'director', id: director.id, isNewest, list: 'guards', entry }) as const),
    ),
  );
}
