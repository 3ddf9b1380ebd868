import { type Clock, isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { DamagedRow } from '../store/damaged-row.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Change, Store } from '../store/store.ts';
import { hostOf, type NamedHosts } from './secret-uses.ts';

/**
 * Which hosts may get the value of a secret. A value without any host is not bound yet, and the first revision that names
 * it binds it (docs/decisions/secrets-are-bound-to-hosts.md).
 */
export interface SecretHosts {
  /** Whether the secret has a value. */
  hasValue(name: string): boolean;
  /** True for a host of the secret, and for every host if the secret is not bound or has no value. */
  allowsHost(name: string, host: string): boolean;
  /**
   * Binds the secrets that have a value and no host to the hosts that are named for them; calls `named` only if there are
   * such secrets. Errors of the store.
   */
  bindFirst(named: () => NamedHosts): Promise<void>;
  /** Reads values and hosts again, after another process changed some. */
  reload(): Promise<void>;
  /** Calls `listener` when a person, this process or another, changed hosts, or stored or deleted a value. Returns a function that removes it. */
  onHostsChange(listener: () => void): () => void;
}

/** Values of `${secret:NAME}`. They are read once and kept in memory, so lookups are synchronous. */
export interface Secrets extends SecretHosts {
  /** Names in alphabetical order. */
  names(): readonly string[];
  get(name: string): string | undefined;
  /** Hosts that may get the value, in alphabetical order; none if it is not bound yet. */
  hosts(name: string): readonly string[];
  /**
   * Stores a value, which takes effect at the next use, and binds it to the hosts that the running config names for it.
   * Rejects with `BAD_REQUEST` for an invalid name or value, and with `SECRET_NEEDS_KEY` if the store is not encrypted and
   * plain text is not allowed.
   */
  set(name: string, value: string, options?: { readonly allowsPlaintext?: boolean | undefined }): Promise<void>;
  /** Allows one more host, as a person writes it. Rejects with `NOT_FOUND`, or `BAD_REQUEST` if it is not a host. */
  allow(name: string, host: string): Promise<void>;
  /** Rejects with `NOT_FOUND` if there is no such secret. */
  delete(name: string): Promise<void>;
}

/** Options of `openSecrets`. */
export interface SecretsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log?: Logger;
  /** Gets every value, so that no value appears in logs, in the store or in answers. */
  readonly redactor: Redactor;
  /** True if the user allows plain text for all secrets (`CALLSHEET_PLAINTEXT=1`). */
  readonly allowsPlaintext: boolean;
  /** The hosts that the running config names. Default: none. */
  readonly named?: () => NamedHosts;
  /** Called after this process changed a secret or its hosts. */
  readonly onChange?: () => void;
}

/** Valid names in `${secret:NAME}` (config/reference.ts). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MAX_LENGTH = 65_536;

/** Opens the secrets of a store. Errors of the store are passed on. */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const secrets = new StoredSecrets(options);
  await secrets.reload();
  return secrets;
}

/** Methods are fields, since callers pass `get` and `allowsHost` on by themselves. */
class StoredSecrets implements Secrets {
  readonly #options: SecretsOptions;
  readonly #values = new Map<string, string>();
  #hosts = new Map<string, Set<string>>();
  /** Names that `bindFirst` bound in memory and could not store yet. */
  readonly #unsaved = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  readonly names = (): readonly string[] => [...this.#values.keys()].sort();
  readonly get = (name: string): string | undefined => this.#values.get(name);
  readonly hasValue = (name: string): boolean => this.#values.has(name);
  readonly hosts = (name: string): readonly string[] => [...(this.#hosts.get(name) ?? [])].sort();
  readonly allowsHost = (name: string, host: string): boolean => this.#hosts.get(name)?.has(host) !== false;

  onHostsChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async reload(): Promise<void> {
    const { store, redactor } = this.#options;
    const rows = await readableRows(store, (row) => this.#noteDamage(row)).list('secret');
    const hosts = new Map<string, Set<string>>();
    for (const { name, host } of await store.list('secretHost'))
      hosts.set(name, (hosts.get(name) ?? new Set()).add(host));
    for (const name of this.#unsaved) if (!hosts.has(name)) hosts.set(name, this.#hosts.get(name) ?? new Set());
    const before = [...this.#values.keys()].sort();
    this.#values.clear();
    for (const { name, body } of rows) {
      const { value } = JSON.parse(body) as { value: string };
      this.#values.set(name, value);
      redactor.add(value);
    }
    const isSame = spell(hosts) === spell(this.#hosts) && String(before) === String([...this.#values.keys()].sort());
    this.#hosts = hosts;
    if (!isSame) this.#notify();
  }

  async set(name: string, value: string, how: { readonly allowsPlaintext?: boolean | undefined } = {}): Promise<void> {
    const { store, clock, redactor, named, onChange } = this.#options;
    check(name, value);
    if (store.storage === 'plaintext' && !(how.allowsPlaintext ?? this.#options.allowsPlaintext)) throw needsKey(name);
    const body = JSON.stringify({ value, updated: isoTime(clock.now()) });
    const hosts = named?.().get(name) ?? new Set<string>();
    await store.apply([
      { op: 'put', table: 'secret', row: { name, body } },
      { op: 'delete', table: 'secretHost', where: { name } },
      ...this.#rows(name, hosts, 'stored'),
    ]);
    redactor.add(value);
    const before = spell(this.#hosts);
    this.#values.set(name, value);
    this.#unsaved.delete(name);
    if (hosts.size === 0) this.#hosts.delete(name);
    else this.#hosts.set(name, new Set(hosts));
    if (spell(this.#hosts) !== before) this.#notify();
    onChange?.();
  }

  async allow(name: string, text: string): Promise<void> {
    if (!this.#values.has(name)) throw missing(name);
    const host = hostOf(text.trim());
    if (host === undefined)
      throw new EngineError('BAD_REQUEST', `"${text}" is not a host`, {
        hint: 'write it as the problem shows it: api.example.com, or http://127.0.0.1:8080 without TLS',
      });
    await this.#options.store.apply(this.#rows(name, [host], 'person'));
    this.#hosts.set(name, (this.#hosts.get(name) ?? new Set()).add(host));
    this.#notify();
    this.#options.onChange?.();
  }

  async delete(name: string): Promise<void> {
    if (!this.#values.has(name)) throw missing(name);
    await this.#options.store.apply([
      { op: 'delete', table: 'secret', where: { name } },
      { op: 'delete', table: 'secretHost', where: { name } },
    ]);
    this.#values.delete(name);
    this.#hosts.delete(name);
    this.#unsaved.delete(name);
    this.#notify();
    this.#options.onChange?.();
  }

  async bindFirst(named: () => NamedHosts): Promise<void> {
    const unbound = new Set(this.#values.keys()).difference(this.#hosts);
    for (const [name, hosts] of unbound.size === 0 ? [] : named()) {
      if (!unbound.has(name)) continue;
      // In memory first: the next revision is checked against it even if the store fails now.
      this.#hosts.set(name, new Set(hosts));
      this.#unsaved.add(name);
    }
    if (this.#unsaved.size === 0) return;
    const names = [...this.#unsaved];
    await this.#options.store.apply(
      names.flatMap((name) => this.#rows(name, this.#hosts.get(name) ?? [], 'first use')),
    );
    for (const name of names) this.#unsaved.delete(name);
    this.#options.onChange?.();
  }

  #rows(name: string, hosts: Iterable<string>, by: string): Change[] {
    const body = JSON.stringify({ by, at: isoTime(this.#options.clock.now()) });
    return Array.from(hosts, (host) => ({ op: 'put', table: 'secretHost', row: { name, host, body } }));
  }

  #noteDamage({ key, reason }: DamagedRow): void {
    const hint = `store it again: callsheet secrets set ${key}`;
    this.#options.log?.warn('a secret cannot be read and is left out', { secret: key, reason, hint });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** One text per state of all bindings, to compare two states. */
function spell(hosts: NamedHosts): string {
  return JSON.stringify(Array.from(hosts, ([name, list]) => [name, ...[...list].sort()]).sort());
}

function check(name: string, value: string): void {
  if (!NAME.test(name))
    throw new EngineError('BAD_REQUEST', `"${name}" cannot be the name of a secret`, {
      hint: 'use at most 128 letters, digits and _, not starting with a digit: OPENAI_API_KEY',
    });
  if (value === '' || value.length > MAX_LENGTH)
    throw new EngineError('BAD_REQUEST', `a secret has 1 to ${MAX_LENGTH} characters, not ${value.length}`);
}

function missing(name: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no secret "${name}"`);
}

function needsKey(name: string): EngineError {
  return new EngineError('SECRET_NEEDS_KEY', `secret "${name}" was not stored: the data folder is not encrypted`, {
    hint:
      'callsheet key make prints a key; put it into .env as VX_MAILAGENT_KEY, start again, and everything is encrypted. ' +
      'To store it in plain text all the same: --plaintext, or CALLSHEET_PLAINTEXT=1',
  });
}
