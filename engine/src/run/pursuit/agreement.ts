/** Words by which people agree, in English, German, French, Spanish and Italian. */
const YES =
  /^(?:yes|yeah|yep|yup|ok|okay|sure|agreed|correct|exactly|please do|do (?:it|so|that)|go (?:on|ahead)|sounds good|ja|jawohl|gerne?|genau|einverstanden|passt|klar|mach (?:es|das)|oui|d['’]accord|volontiers|vas-y|sí|si|claro|vale|adelante|hazlo|sì|certo|va bene|👍)(?![\p{L}\p{N}])/iu;
const NO =
  /(?<![\p{L}\p{N}])(?:no|not|never|nope|don['’]?t|nein|nicht|kein\p{L}{0,2}|nie|non|pas|jamais|nunca|mai)(?![\p{L}\p{N}])/iu;

/** Most words of an answer that says no more than yes. */
const MOST_WORDS_OF_YES = 3;

/**
 * What an answer to a proposal wants: the proposal where it says yes, the proposal and the answer where it says more, and else the answer
 * alone. The model that reads the answer has read the mails of strangers, too: its word that the user agrees is not enough.
 */
export function agreedWish(proposal: string, answer: string): string {
  const said = answer.trim();
  if (!YES.test(said) || NO.test(said)) return said;
  return said.split(/\s+/).length > MOST_WORDS_OF_YES ? `${proposal}. ${said}` : proposal;
}
