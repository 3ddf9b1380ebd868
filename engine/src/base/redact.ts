/** Knows the secret values in use and takes them out of whatever is about to be logged, stored or sent. */
export interface Redactor {
  /** Registers a secret. Values under 6 characters are ignored: replacing them would eat ordinary text. */
  add(value: string): void;
  /** Forgets one that is good for nothing any more; whoever added it knows that nobody else did. */
  remove(value: string): void;
  /** `text` with every known secret replaced by `[redacted]`. */
  text(text: string): string;
}

const MIN_LENGTH = 6;
const MARK = '[redacted]';

/** A redactor with no secrets yet. Longer secrets are replaced first, so that one that contains another vanishes whole. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let ordered: string[] = [];
  /** A secret inside stored JSON stands in its escaped form. */
  const formsOf = (value: string) => [value, JSON.stringify(value).slice(1, -1)];
  const order = () => void (ordered = [...secrets].sort((a, b) => b.length - a.length));
  return {
    add(value) {
      if (value.length < MIN_LENGTH || secrets.has(value)) return;
      for (const form of formsOf(value)) secrets.add(form);
      order();
    },
    remove(value) {
      for (const form of formsOf(value)) secrets.delete(form);
      order();
    },
    text(text) {
      for (const secret of ordered) if (text.includes(secret)) text = text.replaceAll(secret, MARK);
      return text;
    },
  };
}
