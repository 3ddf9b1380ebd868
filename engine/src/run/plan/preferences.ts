import { isoTime } from '../../base/clock.ts';
import { addMemory } from '../../memory/memory-store.ts';
import { PREFERENCE_TAG } from '../../memory/preference.ts';
import { knownIn } from '../../guard/placeholder/redact-text.ts';
import { personMessage } from '../step/recalled-memories.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/**
 * Stores what the user prefers as memories of the director, where the settings let preferences be remembered. Only words that stand
 * in the user's message count, whatever the planner says; the same preference is stored once.
 */
export async function storePreferences(step: Step, { facts }: Machine, preferences: readonly string[]): Promise<void> {
  const { config, record } = step.runState;
  const { personMessage: message } = personMessage(config, record.run);
  if (message === undefined) return;
  const said = preferences.filter((text) => isQuoted(text, message));
  const privacy = await step.runState.privacy();
  for (const text of said) {
    const { memory, isNew } = await addMemory(
      step.draft,
      { scope: 'local', directorId: facts.directorId, agentId: '' },
      {
        ...{ text, tags: [PREFERENCE_TAG], owner: facts.directorId },
        ...(config.directors.get(facts.directorId)?.locality === 'local' && { isLocal: true as const }),
        ...(privacy !== undefined && { mentions: knownIn(privacy.map, text) }),
      },
      {
        id: step.deps.ids.next('mem'),
        now: step.now,
        lookupKey: (key) => step.deps.store.lookupKey(key),
        provenance: {
          ...{ writtenBy: 'director', actorId: facts.directorId, runId: facts.runId },
          ...{ trust: 'trusted', at: isoTime(step.now) },
        },
      },
    );
    const detail = { action: isNew ? 'preference_stored' : 'preference_known', memoryId: memory.id };
    step.entry({ phase: 'director', detail, result: text });
  }
}

/** Fewest words of a preference; a word or two is no sentence that makes sense alone. */
const FEWEST_WORDS = 3;

/** Whether all words of a text stand in the message, in the same order and together. */
function isQuoted(text: string, message: string): boolean {
  const words = wordsOf(text);
  return words.length >= FEWEST_WORDS && ` ${wordsOf(message).join(' ')} `.includes(` ${words.join(' ')} `);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
