import { EngineError } from '../../base/error.ts';
import { canonicalJson, type Json, sha256 } from '../../base/json.ts';
import type { RecordMode } from '../cassette.ts';

/** Verdicts of judges that answer from a cassette. A judge is asked as a model is: only in a mode that records. */
export class Verdicts {
  readonly #known: Readonly<Record<string, Json>>;
  readonly #used = new Map<string, Json>();
  readonly #mode: RecordMode;
  readonly #isNew: boolean;

  constructor(known: Readonly<Record<string, Json>>, mode: RecordMode, isNew: boolean) {
    this.#known = known;
    this.#mode = mode;
    this.#isNew = isNew;
  }

  /**
   * The recorded verdict on a question, or that of `ask`. `isFree`: asking needs no key and no network, so it happens in every mode
   * and is not recorded. `CONFLICT` where there is none and nobody may be asked.
   */
  async get<T extends Json>(question: Json, ask: () => Promise<T>, isFree = false): Promise<T> {
    if (isFree) return ask();
    const key = sha256(canonicalJson(question)).slice(0, 32);
    const known = this.#mode === 'all' ? this.#used.get(key) : (this.#known[key] ?? this.#used.get(key));
    const mayAsk = this.#mode === 'once' ? this.#isNew : this.#mode !== 'none';
    if (known === undefined && !mayAsk)
      throw new EngineError('CONFLICT', 'its verdict was never recorded', {
        hint: 'record it with --record new_episodes',
      });
    const verdict = known ?? (await ask());
    this.#used.set(key, verdict);
    // Written by this class, under this question.
    return verdict as T;
  }

  /** The verdicts that were used. */
  used(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
