/** Form of a file from which text can be read. */
export type DocumentForm = 'pdf' | 'docx' | 'html' | 'csv' | 'plain';

/** The text of a file. */
export interface DocumentText {
  readonly form: DocumentForm;
  /** Plain text; headings begin with `#`, rows of tables have their cells between `|`. */
  readonly text: string;
  /** Character encoding of a file of text: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`. */
  readonly encoding?: string;
  /** Pages of a PDF. */
  readonly pages?: number;
  /** Names of the columns of a CSV file, from its first row. */
  readonly columns?: readonly string[];
  /** Says what is missing from the text, in one sentence. */
  readonly note?: string;
}

/** An extract of a text (see `summarizeText`). */
export interface TextSummary {
  /** Headings and sentences of the text, word for word and in its order. */
  readonly summary: string;
  /** Characters of the text that the extract was made from. */
  readonly characters: number;
  readonly sentences: { readonly shown: number; readonly of: number };
}

/** Most bytes of a file whose text is read. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Most characters of text that are read from one file. */
export const MAX_TEXT_CHARACTERS = 4_000_000;
