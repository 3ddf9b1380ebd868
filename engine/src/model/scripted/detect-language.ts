/** Characters that are analysed; more do not improve the guess. */
const ENOUGH_CHARACTERS = 2000;
/** With fewer letters the language is unknown. Low, because Chinese and Japanese need few characters. */
const FEWEST_LETTERS = 4;

/** Text without language: tags, URLs, addresses, quoted lines, header-like lines, numbers. */
const NOISE = /<[^<>\n]{0,200}>|https?:\/\/\S+|\S+@\S+|^>.*$|^[A-Za-z-]{2,20}:.*$|\d+/gm;

/**
 * Detects the language of a text: an ISO 639-1 code (`en`, `de`, `fr`) or `unknown`. Uses statistics over letter groups
 * (tinyld with its 24 most common languages, imported at first use). Reliable for a sentence, a guess for a word or two.
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
