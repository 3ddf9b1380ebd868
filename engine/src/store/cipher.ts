import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = 1;
/** Length of format byte, key id and nonce, which precede the ciphertext. */
const HEADER_BYTES = 1 + 4 + 12;
const TAG_BYTES = 16;
/** Nonces drawn from the system at once: a draw for each one costs more than the encryption of a short body. */
const NONCE_BATCH = 256;

/** Makes a random 256-bit key, as 64 hex digits. */
export function makeKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Reads a key of 64 hex digits, in either case, and returns it in lower case; undefined for other text (seed 000,
 * 3.2.7).
 */
export function parseKey(text: string): string | undefined {
  const key = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(key) ? key : undefined;
}

/**
 * A key that encrypts bodies, with AES-256-GCM and random 12-byte nonces. A sealed body is `format (1 byte), key id
 * (4), nonce (12), ciphertext, tag (16)`. `about` is the additional authenticated data: a sealed body opens only with
 * the `about` that it was sealed with. One key is good for 2^32 bodies (NIST SP 800-38D, 8.3): 49 days at a thousand
 * bodies a second, years of mail in practice. Rotate the key before that.
 */
export class CipherKey {
  /** The key as 64 hex digits, as `parseKey` returns it. */
  readonly hex: string;
  /** Identifies the key without revealing anything of it: 8 hex digits. */
  readonly id: string;
  readonly #id: Buffer;
  readonly #key: KeyObject;
  readonly #nonces = Buffer.allocUnsafe(12 * NONCE_BATCH);
  #nextNonce = NONCE_BATCH;

  constructor(hex: string) {
    const raw = Buffer.from(hex, 'hex');
    this.hex = hex;
    this.#id = createHmac('sha256', raw).update('callsheet key id').digest().subarray(0, 4);
    this.id = this.#id.toString('hex');
    this.#key = deriveKey(raw, 'callsheet bodies');
  }

  /** Encrypts and authenticates a body. */
  seal(plain: string | Uint8Array, about: string): Buffer {
    const nonce = this.#nonce();
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    cipher.setAAD(aad(about));
    const text = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
    // GCM is a stream mode: `final` returns no further bytes, but computes the tag.
    cipher.final();
    const sealed = Buffer.allocUnsafe(HEADER_BYTES + text.length + TAG_BYTES);
    sealed[0] = FORMAT;
    this.#id.copy(sealed, 1);
    nonce.copy(sealed, 5);
    text.copy(sealed, HEADER_BYTES);
    cipher.getAuthTag().copy(sealed, HEADER_BYTES + text.length);
    return sealed;
  }

  /** The plain text, or undefined if it was sealed with another key or another `about`, or was changed since. */
  open(sealed: Uint8Array, about: string): Buffer | undefined {
    if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== FORMAT) return undefined;
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(5, HEADER_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(aad(about));
    decipher.setAuthTag(sealed.subarray(end));
    const text = decipher.update(sealed.subarray(HEADER_BYTES, end));
    try {
      decipher.final();
      return text;
    } catch {
      return undefined;
    }
  }

  #nonce(): Buffer {
    if (this.#nextNonce === NONCE_BATCH) {
      randomFillSync(this.#nonces);
      this.#nextNonce = 0;
    }
    const at = 12 * this.#nextNonce++;
    return this.#nonces.subarray(at, at + 12);
  }
}

/** Id of the key that sealed a value, or undefined if the value is not a sealed body. */
export function keyIdOf(sealed: unknown): string | undefined {
  if (!(sealed instanceof Uint8Array) || sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== FORMAT)
    return undefined;
  return Buffer.from(sealed.buffer, sealed.byteOffset + 1, 4).toString('hex');
}

/** HMAC-SHA-256 of a text under the secret of a store, cut to 32 hex digits: the value of `Store.lookupKey`. */
export function hashForLookup(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}

/** The keys of a store: one that seals and opens and, during a rotation, another one that only opens. */
export class KeyRing {
  readonly writer: CipherKey;
  readonly #keys: ReadonlyMap<string, CipherKey>;

  constructor(writer: CipherKey, ...others: readonly CipherKey[]) {
    this.writer = writer;
    this.#keys = new Map([writer, ...others].map((key) => [key.id, key]));
  }

  /** As `CipherKey.open`, with the key whose id the sealed body names. */
  open(sealed: Uint8Array, about: string): Buffer | undefined {
    return this.#keys.get(keyIdOf(sealed) ?? '')?.open(sealed, about);
  }
}

/** Names cached in each direction. Few names recur: accounts and documents. */
const MAX_NAMES = 10_000;

/**
 * Encrypts short texts that are looked up by equality, such as the address that names an account. The encryption is
 * deterministic: the same text in the same column always gives the same result, because the nonce is an HMAC of column
 * and text (the idea of SIV in RFC 8452, built from HMAC and GCM). The keys are derived from the secret of the store,
 * not from the user's key, so a rotation does not change sealed names.
 */
export class NameCipher {
  readonly #nonceKey: KeyObject;
  readonly #key: KeyObject;
  readonly #sealed = new Map<string, string>();
  readonly #opened = new Map<string, string>();

  constructor(secret: string) {
    const raw = Buffer.from(secret, 'utf8');
    this.#nonceKey = deriveKey(raw, 'callsheet name nonces');
    this.#key = deriveKey(raw, 'callsheet names');
  }

  /** Encrypts a name; `about` is its column. Returns base64url. */
  seal(name: string, about: string): string {
    const id = `${about}\0${name}`;
    const known = this.#sealed.get(id);
    if (known !== undefined) return known;
    const nonce = createHmac('sha256', this.#nonceKey).update(id).digest().subarray(0, 12);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    cipher.setAAD(aad(about));
    const text = cipher.update(name, 'utf8');
    cipher.final();
    const sealed = Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    return cacheName(this.#sealed, id, sealed);
  }

  /** The name, or undefined if it was not sealed for this column, or was changed since. */
  open(sealed: string, about: string): string | undefined {
    const id = `${about}\0${sealed}`;
    const known = this.#opened.get(id);
    if (known !== undefined) return known;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < 12 + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, 12), { authTagLength: TAG_BYTES });
    decipher.setAAD(aad(about));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const name = decipher.update(bytes.subarray(12, -TAG_BYTES)).toString('utf8');
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return cacheName(this.#opened, id, name);
  }
}

function cacheName(names: Map<string, string>, id: string, value: string): string {
  if (names.size >= MAX_NAMES) names.clear();
  names.set(id, value);
  return value;
}

function deriveKey(raw: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', raw, '', purpose, 32)));
}

function aad(about: string): Buffer {
  return Buffer.from(about, 'utf8');
}
