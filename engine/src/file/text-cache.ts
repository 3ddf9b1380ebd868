import type { DocumentText } from './document.ts';

/** Characters of all texts that are kept. */
const MAX_CHARACTERS = 16_000_000;

/** Texts of files that were read last, so that the pages of a document are not read from the file again and again. */
export class TextCache {
  readonly #texts = new Map<string, DocumentText>();
  #characters = 0;

  /** The text of a key; read and kept if it is not there. A failure is not kept. */
  async get(key: string, read: () => Promise<DocumentText>): Promise<DocumentText> {
    const kept = this.#texts.get(key);
    const text = kept ?? (await read());
    this.#delete(key);
    this.#texts.set(key, text);
    this.#characters += text.text.length;
    for (const old of this.#texts.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#delete(old);
    }
    return text;
  }

  #delete(key: string): void {
    this.#characters -= this.#texts.get(key)?.text.length ?? 0;
    this.#texts.delete(key);
  }
}
