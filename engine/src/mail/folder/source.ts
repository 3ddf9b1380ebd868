import { basename, dirname, join } from 'node:path';
import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { ChangedFiles } from './changed-files.ts';
import { type FolderEntry, detectMaildir, entriesOf, entryOf, hasOthers, isMailName, nameOf } from './entries.ts';
import { LabelFileChanges } from './label-file.ts';
import { sameLabels } from '../labels.ts';
import { noteStore, STORES_FILE } from './store-list.ts';
import type { FoundMail, SourceEvent, ListOptions, MailSource, IngestFacts } from '../source.ts';
import type { MailParser, ParsedMail } from '../mail.ts';
import { watchFolder } from './watch.ts';

export interface FolderSourceOptions {
  readonly accountId: string;
  /** The account's own address: mail from it counts as own mail. */
  readonly email: string;
  /** Absolute. */
  readonly path: string;
  /** `auto`: a Maildir where `cur` and `new` exist, else a folder of .eml files. */
  readonly format: 'auto' | 'eml' | 'maildir';
  readonly workers: MailParser;
  readonly clock: Clock;
}

/** A file that changed less than this ago may still be written. */
const SETTLE_MS = 300;

/** Checks of a patient fetch for a file to stop changing. */
const PATIENT_CHECKS = 5;

/** More files than this are a backlog, emitted newest first. */
const BACKLOG = 50;

/**
 * The source of a `folder` account. Of a folder of .eml files it reads the files directly in it, without dotfiles, `~`
 * and other names of temporary files; of a Maildir `new` and `cur`, never `tmp` and never its subfolders (Drafts and
 * Sent are dot folders), without drafts and mails marked as deleted. It emits files by modification time, then name; a
 * backlog newest first. A Maildir mail keeps its name when it moves from `new` to `cur` or its flags change; the flags
 * are its labels. Labels that Callsheet added to an .eml file are in `.labels`.
 *
 * A full listing ends with the names of all mails, unless files are being renamed. While the folder is watched, a fetch
 * reads only the files that changed; a full listing follows where a mail is missing, and from time to time.
 */
export function createFolderSource(options: FolderSourceOptions): MailSource {
  return new FolderSource(options);
}

/** The folder as one fetch finds it. */
interface Listing {
  readonly isMaildir: boolean;
  readonly folders: readonly string[];
  /** All names, including those of files that are no mail. */
  readonly listed: Set<string>;
  /** Names of mails, and of files that may be a mail under another name. */
  readonly names: Set<string>;
  /** Mails to emit. */
  readonly found: FolderEntry[];
  /** Mails that may still be written. */
  readonly fresh: FolderEntry[];
}

class FolderSource implements MailSource {
  readonly #options: FolderSourceOptions;
  readonly #listeners = new Set<() => void>();
  readonly #labelChanges: LabelFileChanges;
  readonly #changed = new ChangedFiles();
  /** When the next announcement is planned, in milliseconds since 1970. */
  #announcementAtMs = Infinity;

  constructor(options: FolderSourceOptions) {
    this.#options = options;
    this.#labelChanges = new LabelFileChanges(options.path);
  }

  async *list(options: ListOptions): AsyncIterable<SourceEvent> {
    const { signal, onTotal, isPatient = false } = options;
    signal?.throwIfAborted();
    const { path: root } = this.#options;
    const isMaildir = await detectMaildir(this.#options);
    if (options.store !== undefined) await noteStore(root, options.store);
    const folders = isMaildir ? ['new', 'cur'].map((name) => join(root, name)) : [root];
    const listing: Listing = { isMaildir, folders, listed: new Set(), names: new Set(), found: [], fresh: [] };
    const changed = isPatient ? undefined : this.#changed.due(this.#options.clock.now());
    const started = performance.now();
    if (changed === undefined) this.#changed.beginFull();
    yield* this.#scan(listing, changed === undefined ? this.#all(listing) : this.#some(listing, changed), options);
    const tookMs = performance.now() - started;
    const { listed, names, found, fresh } = listing;
    const pending = [...found, ...fresh].map(({ path }) => path);
    if (isPatient) found.push(...(await this.#settled(fresh, signal)));
    else if (fresh.length > 0) this.#announceLater();
    onTotal?.(found.length);
    found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    if (found.length > BACKLOG) found.reverse();
    for (const entry of found) {
      signal?.throwIfAborted();
      yield this.#foundOf(entry, isMaildir);
    }
    if (!isMaildir) yield* this.#labelChanges.changed();
    if (changed !== undefined) return;
    this.#changed.endFull(pending, this.#options.clock.now(), tookMs);
    if (await hasOthers(folders, isMaildir, listed)) this.#announceLater();
    else yield { kind: 'present', names };
  }

  async watch(onChange: () => void, options?: Abortable): Promise<() => Promise<void>> {
    this.#listeners.add(onChange);
    const onPaths = (paths: readonly string[] | undefined) => {
      const others = paths?.filter((path) => basename(path) !== STORES_FILE);
      if (others?.length === 0) return;
      this.#changed.add(others);
      onChange();
    };
    const stop = await watchFolder(this.#options.path, onPaths, options);
    this.#changed.watched(true);
    return async () => {
      this.#listeners.delete(onChange);
      this.#changed.watched(false);
      await stop();
    };
  }

  /** All mail files. */
  async *#all({ folders, isMaildir, listed, names }: Listing): AsyncIterable<FolderEntry> {
    for (const folder of folders) {
      for await (const entry of entriesOf(folder, isMaildir)) {
        listed.add(entry.name);
        if (!('isMoving' in entry) || entry.isMoving) names.add(entry.name);
        if (!('isMoving' in entry)) yield entry;
      }
    }
  }

  /** The mail files among these. */
  async *#some({ folders, isMaildir }: Listing, paths: readonly string[]): AsyncIterable<FolderEntry> {
    const missing = new Set<string>();
    const present = new Set<string>();
    for (const path of paths) {
      const [folder, file] = [dirname(path), basename(path)];
      const isMail = folders.includes(folder) && isMailName(file, isMaildir);
      const entry = isMail ? await entryOf(folder, file, isMaildir) : undefined;
      if (entry === undefined || 'isMoving' in entry) this.#changed.settle(path);
      if (entry === undefined) continue;
      const isMissing = 'isMoving' in entry && entry.isMoving;
      (isMissing ? missing : present).add(nameOf(file, isMaildir));
      if (!('isMoving' in entry)) yield entry;
    }
    if ([...missing].some((name) => !present.has(name)))
      this.#announceLater(this.#changed.wantFull(this.#options.clock.now()));
  }

  /** Fills `found` and `fresh` of the listing; emits changed labels of known mails. */
  async *#scan(
    { isMaildir, found, fresh }: Listing,
    entries: AsyncIterable<FolderEntry>,
    { signal, seen }: ListOptions,
  ): AsyncIterable<SourceEvent> {
    const { clock } = this.#options;
    for await (const entry of entries) {
      signal?.throwIfAborted();
      const before = await seen(entry.name);
      const isSame = before?.size === entry.size && before.mtimeMs === entry.mtimeMs;
      if (isSame && (!isMaildir || before.labels !== undefined)) {
        if (before.labels !== undefined && !sameLabels(before.labels, entry.labels))
          yield { kind: 'labels', name: entry.name, labels: entry.labels };
        else this.#changed.settle(entry.path);
      } else if (entry.isPassedOver) this.#changed.settle(entry.path);
      // Programs add files to a Maildir by rename, so they are complete.
      else if (!isMaildir && isFresh(entry, clock.now())) fresh.push(entry);
      else found.push(entry);
    }
  }

  /** Waits for files of `fresh` to stop changing and returns those that did; announces the others later. */
  async #settled(fresh: readonly FolderEntry[], signal: AbortSignal | undefined): Promise<FolderEntry[]> {
    const { path: root, clock } = this.#options;
    const done: FolderEntry[] = [];
    let left = fresh;
    for (let check = 0; left.length > 0 && check < PATIENT_CHECKS; check++) {
      await sleep(SETTLE_MS, { signal, clock });
      const now = await Promise.all(left.map(({ path }) => entryOf(root, basename(path), false)));
      const there = now.flatMap((entry) => ('isMoving' in entry ? [] : [entry]));
      done.push(...there.filter((entry) => !isFresh(entry, clock.now())));
      left = there.filter((entry) => isFresh(entry, clock.now()));
    }
    if (left.length > 0) this.#announceLater();
    return done;
  }

  #announceLater(afterMs = SETTLE_MS): void {
    const atMs = this.#options.clock.now() + afterMs;
    if (atMs >= this.#announcementAtMs) return;
    this.#announcementAtMs = atMs;
    this.#options.clock.delay(() => {
      if (this.#announcementAtMs === atMs) this.#announcementAtMs = Infinity;
      for (const listener of this.#listeners) listener();
    }, afterMs);
  }

  #foundOf(entry: FolderEntry, isMaildir: boolean): FoundMail {
    const { name, size, mtimeMs, labels } = entry;
    return {
      kind: 'mail',
      name,
      seen: { size, mtimeMs, ...(isMaildir && { labels }) },
      ...(isMaildir && { labels }),
      read: (facts, { signal } = {}) => this.#read(entry, isMaildir, facts, signal),
    };
  }

  async #read(
    { path, size, mtimeMs, labels }: FolderEntry,
    isMaildir: boolean,
    facts: IngestFacts,
    signal: AbortSignal | undefined,
  ): Promise<ParsedMail> {
    const { accountId, email, workers } = this.#options;
    try {
      return await workers.parse(
        { kind: 'file', path, size, mtimeMs },
        { ...facts, accountId, ownAddresses: [email], labels, readsLabelHeaders: !isMaildir },
        { signal },
      );
    } catch (error) {
      if (error instanceof EngineError && error.retryable) this.#announceLater();
      throw error;
    }
  }
}

/** A modification time in the future comes from another clock, and is no recent change. */
function isFresh({ mtimeMs }: FolderEntry, nowMs: number): boolean {
  const ageMs = nowMs - mtimeMs;
  return ageMs < SETTLE_MS && ageMs > -SETTLE_MS;
}
