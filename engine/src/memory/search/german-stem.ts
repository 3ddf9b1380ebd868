/** A stem of this length is not shortened. */
const SHORTEST = 3;

/**
 * The stem of a German word in lower case, by CISTEM (Weissweiler and Fraser, "Developing a Stemmer for German Based on a
 * Comparative Analysis of Publicly Available Stemmers", 2017). Umlauts may be written as `ae`, `oe` and `ue`.
 */
export function germanStem(word: string): string {
  let stem = word
    .replace(/ß/g, 'ss')
    // Not after a vowel or q: neue, Steuer, Quelle.
    .replace(/(?<![aeiouq])([aou])e/g, '$1')
    .replace(/^ge(?=.{4})/, '')
    .replace(/sch/g, '$')
    .replace(/ei/g, '%')
    .replace(/ie/g, '&')
    .replace(/(.)\1/g, '$1*');
  while (stem.length > SHORTEST) {
    const end = stem.length > 5 && /(e[mr]|nd)$/.test(stem) ? 2 : /[tesn]$/.test(stem) ? 1 : 0;
    if (end === 0) break;
    stem = stem.slice(0, -end);
  }
  return stem.replace(/(.)\*/g, '$1$1').replace(/&/g, 'ie').replace(/%/g, 'ei').replace(/\$/g, 'sch');
}
