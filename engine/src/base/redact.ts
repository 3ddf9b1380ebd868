/** Removes secret values from texts that are logged, stored or sent. */
export interface Redactor {
  /** Registers a secret. Values shorter than 6 characters are ignored: replacing them would damage ordinary text. */
  add(value: string): void;
  /**
   * Removes a secret that is no longer valid. The caller makes sure that no other part of the engine has registered it.
   */
  remove(value: string): void;
  /** `text` with every known secret replaced by `[redacted]`. */
  text(text: string): string;
}

const MIN_LENGTH = 6;
const MARK = '[redacted]';

/**
 * A redactor without secrets. Longer secrets are replaced first, so that a secret that contains another one is removed
 * as a whole.
 */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let ordered: string[] = [];
  /** Stored JSON contains a secret in its escaped form. */
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
