import { ENGLISH_STOP_WORDS, GERMAN_STOP_WORDS } from '../stop-words.ts';
import { wordsOf } from '../words.ts';

/** How sure the detection must be of another language: it takes short texts for any. */
const SURE = 0.5;

/** Whether a text may be English: by words such as "the", else by statistics over groups of letters. Names pass. */
export async function mayBeEnglish(text: string): Promise<boolean> {
  const words = wordsOf(text);
  const english = words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length;
  const german = words.filter((word) => GERMAN_STOP_WORDS.has(word)).length;
  if (english !== german) return english > german;
  const { detectAll } = await import('tinyld/light');
  const [best] = detectAll(text.slice(0, 2000));
  return best === undefined || best.lang === 'en' || best.accuracy < SURE;
}
