/** More text than this does not make the guess better. */
const ENOUGH_CHARACTERS = 2000;
/** Fewer letters than this say nothing; Chinese or Japanese say much in few. */
const FEWEST_LETTERS = 4;

/** What is in a text but not in its language: tags, addresses, quoted lines, header-like lines, numbers. */
const NOISE = /<[^<>\n]{0,200}>|https?:\/\/\S+|\S+@\S+|^>.*$|^[A-Za-z-]{2,20}:.*$|\d+/gm;

/**
 * The language of a text as an ISO 639-1 code (`en`, `de`, `fr`), or `unknown`. Statistics over letter groups (tinyld,
 * its 24 most common languages, loaded at first use): a sentence is recognised well, a word or two is a guess.
 */
export async function detectLanguage(text: string): Promise<string> {
  const words = text
    .slice(0, ENOUGH_CHARACTERS * 2)
    .replace(NOISE, ' ')
    .slice(0, ENOUGH_CHARACTERS);
  if ((words.match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS) return 'unknown';
  const { detect } = await import('tinyld/light');
  return detect(words) || 'unknown';
}
