import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import type { KnownPerson } from '../../guard/privacy/known-names.ts';
import { EntityMap } from '../../guard/placeholder/entity-map.ts';
import { namedIn } from '../../guard/placeholder/mentions.ts';
import type { PrivacyPolicy } from '../../guard/placeholder/policy.ts';
import { hideIn } from '../../guard/placeholder/redact-text.ts';
import { contentsOf, type FoundMessage } from '../../guard/placeholder/redact-message.ts';
import type { Recogniser } from '../../guard/privacy/recogniser.ts';
import type { UnredactedRequest } from '../step/effect.ts';

/**
 * Finds the private values in messages that no model has seen yet. Rejects with a retryable `PRIVACY_UNAVAILABLE` where that fails: the
 * run waits and asks again, and fails in the end. Abort rejects with the signal's reason.
 */
export async function findInRequest(
  recogniser: Pick<Recogniser, 'recognise'>,
  { messages, policy, known }: UnredactedRequest,
  { signal }: Abortable,
): Promise<FoundMessage[]> {
  const named = messages.map(({ message }) => namedIn(message));
  const people = [...known, ...named.flatMap((one) => one.people)];
  const { redact: kinds, keep, recognizers } = policy;
  try {
    return await Promise.all(
      messages.map(async (one, n) => {
        const options = { known: people, kinds, keep, recognizers, isUserWords: one.isUserWords, signal };
        const texts = contentsOf(one.message).map(({ text }) => text);
        const spans = texts.map((text) => (text.trim() === '' ? [] : recogniser.recognise(text, options)));
        return { ...one, mentions: named[n]?.mentions ?? [], spans: await Promise.all(spans) };
      }),
    );
  } catch (cause) {
    signal?.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('PRIVACY_UNAVAILABLE', `private data could not be looked for, so nothing was sent: ${why}`, {
      cause,
      retryable: true,
    });
  }
}

/**
 * A text without its private values, for embeddings. Undefined where they could not be found.
 */
export async function hiddenText(
  recogniser: Pick<Recogniser, 'recognise'>,
  text: string,
  { redact: kinds, keep, recognizers }: PrivacyPolicy,
  known: readonly KnownPerson[],
): Promise<string | undefined> {
  try {
    const options = { known, kinds, keep, recognizers, isUserWords: true };
    return hideIn(new EntityMap(), text, await recogniser.recognise(text, options));
  } catch {
    return undefined;
  }
}
