import { type Clock, isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Redactor } from '../base/redact.ts';
import type { Store } from '../store/store.ts';

/** Values of `${secret:NAME}`. They are read once and kept in memory, so lookups are synchronous. */
export interface Secrets {
  /** Names in alphabetical order. */
  names(): readonly string[];
  get(name: string): string | undefined;
  /**
   * Stores a value, which takes effect at the next use. Rejects with `BAD_REQUEST` for an invalid name or value, and with
   * `SECRET_NEEDS_KEY` if the store is not encrypted and plain text is not allowed.
   */
  set(name: string, value: string, options?: { readonly allowsPlaintext?: boolean | undefined }): Promise<void>;
  /** Rejects with `NOT_FOUND` if there is no such secret. */
  delete(name: string): Promise<void>;
  /** Reads all secrets again, after another process changed some. */
  reload(): Promise<void>;
}

/** Options of `openSecrets`. */
export interface SecretsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Gets every value, so that no value appears in logs, in the store or in answers. */
  readonly redactor: Redactor;
  /** True if the user allows plain text for all secrets (`CALLSHEET_PLAINTEXT=1`). */
  readonly allowsPlaintext: boolean;
  /** Called after this process changed a secret. */
  readonly onChange?: () => void;
}

/** Valid names in `${secret:NAME}` (config/reference.ts). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MAX_LENGTH = 65_536;

/** Opens the secrets of a store. Errors of the store are passed on. */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const { store, clock, redactor, onChange = () => {} } = options;
  const values = new Map<string, string>();
  const reload = async () => {
    const rows = await store.list('secret');
    values.clear();
    for (const { name, body } of rows) {
      const { value } = JSON.parse(body) as { value: string };
      values.set(name, value);
      redactor.add(value);
    }
  };
  await reload();
  return {
    reload,
    names: () => [...values.keys()].sort(),
    get: (name) => values.get(name),
    async set(name, value, { allowsPlaintext = options.allowsPlaintext } = {}) {
      check(name, value);
      if (store.storage === 'plaintext' && !allowsPlaintext) throw needsKey(name);
      const body = JSON.stringify({ value, updated: isoTime(clock.now()) });
      await store.apply([{ op: 'put', table: 'secret', row: { name, body } }]);
      redactor.add(value);
      values.set(name, value);
      onChange();
    },
    async delete(name) {
      if (!values.has(name)) throw new EngineError('NOT_FOUND', `there is no secret "${name}"`);
      await store.apply([{ op: 'delete', table: 'secret', where: { name } }]);
      values.delete(name);
      onChange();
    },
  };
}

function check(name: string, value: string): void {
  if (!NAME.test(name))
    throw new EngineError('BAD_REQUEST', `"${name}" cannot be the name of a secret`, {
      hint: 'use at most 128 letters, digits and _, not starting with a digit: OPENAI_API_KEY',
    });
  if (value === '' || value.length > MAX_LENGTH)
    throw new EngineError('BAD_REQUEST', `a secret has 1 to ${MAX_LENGTH} characters, not ${value.length}`);
}

function needsKey(name: string): EngineError {
  return new EngineError('SECRET_NEEDS_KEY', `secret "${name}" was not stored: the data folder is not encrypted`, {
    hint:
      'callsheet key make prints a key; put it into .env as VX_MAILAGENT_KEY, start again, and everything is encrypted. ' +
      'To store it in plain text all the same: --plaintext, or CALLSHEET_PLAINTEXT=1',
  });
}
