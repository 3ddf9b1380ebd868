import { EngineError } from '../base/error.ts';

/** Tag of what a person prefers. */
export const PREFERENCE_TAG = 'preference';
/** Words in a row that a preference quotes; all of them where the message has fewer. */
const QUOTED_WORDS = 3;

/**
 * Checks a memory with the tag `preference`: it must quote three words in a row of what the person wrote to the run. `TOOL_DENIED`
 * where it does not, and where there is no such message: the run is about a mail, or `memory.preferences` is off.
 */
export function expectPreference(text: string, personMessage: string | undefined): void {
  if (personMessage === undefined)
    throw new EngineError('TOOL_DENIED', 'preferences come only from what a person wrote to you in this run', {
      hint: 'leave out the tag "preference"; memory.preferences of the settings allows it in runs on a person\'s message',
    });
  const said = wordsIn(personMessage);
  const count = Math.min(QUOTED_WORDS, said.length);
  const quoted = ` ${wordsIn(text).join(' ')} `;
  const quotes = said.some(
    (_, at) => at + count <= said.length && quoted.includes(` ${said.slice(at, at + count).join(' ')} `),
  );
  if (count > 0 && quotes) return;
  throw new EngineError('TOOL_DENIED', 'a preference quotes the person: at least three words in a row of the message', {
    hint: `quote the person's own words, such as: prefers "${said.slice(0, 6).join(' ')}"`,
  });
}

function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
