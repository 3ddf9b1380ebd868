/** A vector as it is kept for searching: one byte a component. Undefined for one of zeros. */
export function quantize(vector: Float32Array): Int8Array | undefined {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (!Number.isFinite(largest) || largest === 0) return undefined;
  const bytes = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.round(((vector[i] as number) / largest) * 127);
  return bytes;
}

/** A vector that is near, and its cosine. */
export interface Near {
  readonly slot: number;
  readonly cosine: number;
}

/** Up to this many vectors, all are compared in full; of more, those whose signs differ least. */
const MOST_IN_FULL = 4000;
const BY_SIGNS = 500;
/** Fewest vectors from which the usual cosine is taken, and the most. */
const LEAST_SAMPLE = 8;
const SAMPLE = 256;
/** Cosine that a vector needs at least, and how many standard deviations it must be above the usual one. */
const LEAST_COSINE = 0.2;
const DEVIATIONS = 1.5;

/**
 * The vectors of one model in one dimension, by slot (a small whole number). A search in many vectors takes two steps: the
 * signs of all components, 32 at a time, give the vectors that may be near; those are compared in full.
 */
export class Vectors {
  #dimension = 0;
  /** Number of words of 32 signs in a vector. */
  #words = 0;
  #values = new Int8Array(0);
  #signs = new Uint32Array(0);
  /** 1 / length of each vector; 0 where a slot has none. */
  #scales = new Float32Array(0);
  #end = 0;
  #size = 0;

  /** Number of vectors. */
  get size(): number {
    return this.#size;
  }

  /** Components of each vector; 0 while there is none. */
  get dimension(): number {
    return this.#dimension;
  }

  /** Adds or replaces a vector. The first one sets the dimension; false for a vector of another one. */
  set(slot: number, vector: Int8Array): boolean {
    if (this.#size === 0) {
      this.clear();
      this.#dimension = vector.length;
      this.#words = Math.ceil(vector.length / 32);
    }
    if (vector.length !== this.#dimension) return false;
    this.#grow(slot + 1);
    this.#values.set(vector, slot * this.#dimension);
    this.#signs.set(signsOf(vector), slot * this.#words);
    if (this.#scales[slot] === 0) this.#size++;
    this.#scales[slot] = 1 / lengthOf(vector);
    this.#end = Math.max(this.#end, slot + 1);
    return true;
  }

  delete(slot: number): void {
    if ((this.#scales[slot] ?? 0) === 0) return;
    this.#scales[slot] = 0;
    this.#size--;
  }

  has(slot: number): boolean {
    return (this.#scales[slot] ?? 0) !== 0;
  }

  /** Removes all. */
  clear(): void {
    this.#end = 0;
    this.#size = 0;
    this.#dimension = 0;
    this.#scales = new Float32Array(0);
    this.#values = new Int8Array(0);
    this.#signs = new Uint32Array(0);
  }

  /**
   * The slots of the nearest vectors that `accepts`, the nearest first. It leaves out those that are no nearer than most:
   * cosines of unrelated texts differ from model to model.
   */
  nearest(query: Float32Array, limit: number, accepts: (slot: number) => boolean): Near[] {
    if (query.length !== this.#dimension) return [];
    const slots: number[] = [];
    for (let slot = 0; slot < this.#end; slot++) if (this.#scales[slot] !== 0 && accepts(slot)) slots.push(slot);
    const unit = normalized(query);
    const candidates = slots.length <= MOST_IN_FULL ? slots : this.#bySigns(unit, slots);
    const least = this.#leastCosine(unit, slots);
    return candidates
      .map((slot) => ({ slot, cosine: this.#cosine(unit, slot) }))
      .filter(({ cosine }) => cosine >= least)
      .sort((a, b) => b.cosine - a.cosine || a.slot - b.slot)
      .slice(0, limit);
  }

  /** The slots whose signs differ from those of the query in the fewest components. */
  #bySigns(unit: Float32Array, slots: readonly number[]): number[] {
    const own = signsOf(unit);
    const words = this.#words;
    const differences = new Uint16Array(slots.length);
    const counts = new Uint32Array(words * 32 + 1);
    for (let i = 0; i < slots.length; i++) {
      let sum = 0;
      const at = (slots[i] as number) * words;
      for (let w = 0; w < words; w++) sum += bitsOf((this.#signs[at + w] as number) ^ (own[w] as number));
      differences[i] = sum;
      counts[sum] = (counts[sum] as number) + 1;
    }
    let most = 0;
    for (let seen = 0; most < counts.length - 1; most++) if ((seen += counts[most] as number) >= BY_SIGNS) break;
    return slots.filter((_, i) => (differences[i] as number) <= most);
  }

  /** A cosine above that of most vectors, by a sample of them. */
  #leastCosine(unit: Float32Array, slots: readonly number[]): number {
    if (slots.length < LEAST_SAMPLE) return LEAST_COSINE;
    const step = Math.max(1, Math.floor(slots.length / SAMPLE));
    const cosines = slots.filter((_, i) => i % step === 0).map((slot) => this.#cosine(unit, slot));
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
    return Math.max(LEAST_COSINE, mean + DEVIATIONS * Math.sqrt(variance));
  }

  #cosine(unit: Float32Array, slot: number): number {
    let sum = 0;
    const at = slot * this.#dimension;
    for (let i = 0; i < unit.length; i++) sum += (this.#values[at + i] as number) * (unit[i] as number);
    return sum * (this.#scales[slot] as number);
  }

  #grow(slots: number): void {
    if (slots <= this.#scales.length) return;
    const capacity = Math.max(256, slots, Math.ceil(this.#scales.length * 1.5));
    const scales = new Float32Array(capacity);
    scales.set(this.#scales);
    const values = new Int8Array(capacity * this.#dimension);
    values.set(this.#values);
    const signs = new Uint32Array(capacity * this.#words);
    signs.set(this.#signs);
    this.#scales = scales;
    this.#values = values;
    this.#signs = signs;
  }
}

function signsOf(vector: Int8Array | Float32Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] as number) > 0) signs[i >>> 5] = (signs[i >>> 5] as number) | (1 << (i & 31));
  return signs;
}

/** Number of bits that are set in 32 (Warren, "Hacker's Delight", 5-1). */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function normalized(vector: Float32Array): Float32Array {
  const length = lengthOf(vector) || 1;
  return vector.map((value) => value / length);
}

function lengthOf(vector: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}
