import type { Abortable } from '../base/abort.ts';
import type { Account } from '../config/config.ts';
import type { MailFacts, ParsedMail } from './mail.ts';

/** State of a found mail, kept between fetches so that the source does not read it again. */
export interface SeenMail {
  readonly size: number;
  readonly mtimeMs: number;
  /** Absent where the mail was ingested before labels were kept here, or where its labels are part of its bytes. */
  readonly labels?: readonly string[];
}

/** Facts from the engine about a mail to be read; the source adds labels, the account and the provider's thread. */
export type IngestFacts = Pick<MailFacts, 'id' | 'receivedAt'>;

/** A mail at the source that has not been ingested in its current state. */
export interface FoundMail {
  readonly kind: 'mail';
  /** Stays the same while the mail is at the source. It is content of the user's disk, so it is never a column. */
  readonly name: string;
  /**
   * Kept under `name` with the mail: what `seen` returns at the next fetch. A source without provider ids sets it; a
   * later `RelabelledMail`, `GoneMail` or `PresentMails` finds the mail by it.
   */
  readonly seen?: SeenMail;
  /**
   * Identifies the mail as long as the account exists, wherever it is moved: the engine does not read a mail whose id
   * it knows. Absent where the provider has no such id; the SHA-256 of the bytes takes its place.
   */
  readonly providerId?: string;
  /**
   * All labels of the mail, where the source knows them before reading. A mail that was ingested before gets them
   * without being read.
   */
  readonly labels?: readonly string[];
  /**
   * Reads the mail and parses it in a worker. Errors as in `MailParser.parse`: the fetch leaves this mail out and goes
   * on; after `MAIL_UNSETTLED` the source calls the `onChange` of its watchers again. `ACCOUNT_*`, `STORE_*` and `BUSY` (no
   * worker started) end the fetch, and the cursor stays where it is.
   */
  read(facts: IngestFacts, options?: Abortable): Promise<ParsedMail>;
}

/**
 * An ingested mail has, or may have, other labels now. Idempotent. The engine stores nothing for a mail that it never
 * ingested, so a mail that may be new is a `FoundMail` with labels.
 */
export interface RelabelledMail {
  readonly kind: 'labels';
  /** As in `FoundMail`. */
  readonly name: string;
  readonly providerId?: string;
  /** All labels of the mail now. */
  readonly labels: readonly string[];
  /** False where this event does not imply that the mail is still at the source. */
  readonly isThere?: false;
}

/** An ingested mail is no longer at the source. The stored mail is kept, and marked until the source emits it again. */
export interface GoneMail {
  readonly kind: 'gone';
  /** As in `FoundMail`. */
  readonly name: string;
  readonly providerId?: string;
}

/** All mails at the source: a mail kept under another name (with `seen`) is gone. */
export interface PresentMails {
  readonly kind: 'present';
  /** As in `FoundMail`; includes names of mails that are not to be ingested. */
  readonly names: ReadonlySet<string>;
}

/** Everything emitted before this event has been handled: the point to continue from. */
export interface CursorReached {
  readonly kind: 'reached';
  /**
   * Returns the cursor to store, a JSON value. `unread` are the names of mails emitted since the last such event that
   * could not be read: a source that emits them again while they exist gives them another try when the process
   * restarts.
   */
  cursor(unread: readonly string[]): unknown;
}

/** An ingested mail that is not marked as gone. */
export interface KnownMail {
  /** Its position in the order of `ListOptions.knownMails`; never changes. */
  readonly position: string;
  readonly providerId: string;
  /** As last stored. */
  readonly labels: readonly string[];
}

/** The store that a source is fetched into. */
export interface FetchingStore {
  /** The same as long as the store exists, and for no other store; 32 hex digits. */
  readonly key: string;
  /** True where the store knows no mail of the account. */
  readonly knowsNothing: boolean;
  /** True where a person has said that the store may be a new one. */
  readonly mayBeNew: boolean;
}

export interface ListOptions extends Abortable {
  /** Absent where nothing is ingested. A source that can keep notes beside its mails checks that this store is the one that fetched them. */
  readonly store?: FetchingStore;
  /** Returns the state kept for a name, or undefined. */
  readonly seen: (name: string) => SeenMail | undefined | Promise<SeenMail | undefined>;
  /**
   * The known mails of this account after a `position` (`''` for all), read in small steps. A source with provider ids
   * that lost its cursor compares them with its new listing. Default: none.
   */
  readonly knownMails?: (after: string) => AsyncIterable<KnownMail>;
  /** The cursor that was stored last, or undefined at the very first fetch. */
  readonly cursor?: unknown;
  /**
   * True for a mail that this process could not read. The source does not emit it again, or only after some minutes
   * where the server failed to deliver it. Default: never.
   */
  readonly isUnreadable?: (name: string) => boolean;
  /** Called with the number of mails that this fetch will emit, as soon as it is known. */
  readonly onTotal?: (mails: number) => void;
  /**
   * True when a person waits for the result: the source waits a moment for files that may still be written, and does
   * not leave them for later.
   */
  readonly isPatient?: boolean;
}

/** An event of a source. */
export type SourceEvent = FoundMail | RelabelledMail | GoneMail | PresentMails | CursorReached;

/** The source of an account's mail. One implementation per provider, all tested by one contract suite. */
export interface MailSource {
  /**
   * Emits all mails that have not been ingested, in the order in which to ingest them; a backlog newest first, never
   * all of it in memory. The caller pulls events one by one. It handles `RelabelledMail`, `GoneMail` and `PresentMails`
   * one at a time after all earlier events, and stores a `CursorReached` only when all earlier events are handled.
   * Throws `ACCOUNT_FAILED` (what is wrong and what to do) where the source cannot be read at all; rejects on abort.
   */
  list(options: ListOptions): AsyncIterable<SourceEvent>;
  /**
   * Calls `onChange` soon after something may have changed, until the returned function is called. Never throws. On
   * abort it resolves at once; the returned function must be called all the same.
   */
  watch(onChange: () => void, options?: Abortable): Promise<() => Promise<void>>;
}

/** Opens the source of an account. Does not connect: errors come from `list`. */
export type OpenSource = (account: Account) => MailSource;

/** Checks an account as a fetch would, up to the first event, and ingests nothing. Throws as `MailSource.list` does. */
export async function probeSource(source: MailSource, { signal }: Abortable = {}): Promise<void> {
  for await (const _first of source.list({ seen: () => undefined, signal })) return;
}
