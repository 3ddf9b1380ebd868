/** The judgement of a model on a text. */
export interface Judgement {
  /** 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/** What assertions ask besides the outcome. A method rejects where it could not find out: then the test could not run. */
export interface Judges {
  /** Private values in a text. */
  readonly privateValues: (text: string) => Promise<readonly string[]>;
  /** ISO 639-1, or `unknown`. */
  readonly language: (text: string) => Promise<string>;
  /** Likeness of two texts, 0 to 1. */
  readonly similarity: (text: string, other: string) => Promise<number>;
  readonly rubric: (rubric: string, text: string) => Promise<Judgement>;
  /** Why a value does not match a JSON Schema; undefined where it does. */
  readonly schemaFaults: (value: unknown, schema: object) => Promise<string | undefined>;
}
