import { createYielder } from '../../base/yielding.ts';
import type { ToolCatalog } from '../config.ts';
import type { Finding } from '../problem.ts';
import type { SecretHosts } from '../secrets.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { BrokenLink } from './broken-link.ts';
import { brokenLinks, type LinkNotes, linkNotes } from './broken-links.ts';
import { ConfigView, Others } from './config-view.ts';
import { type DocumentNotes, documentNotes } from './document-notes.ts';
import { exfiltrationWarnings } from './exfiltration-warnings.ts';
import { newHosts } from './new-hosts.ts';
import { TrackedCheck } from './tracked-check.ts';
import { type IsSet, unsetReferences } from './unset-references.ts';

/** The versions of all documents before their links are checked. */
export interface Versions {
  /** The valid version on disk; undefined if the file is invalid. Deleted documents are not listed. */
  readonly newest: ReadonlyMap<string, ValidDocument | undefined>;
  /** The version that ran last, also for deleted documents. */
  readonly good: (name: string) => ValidDocument | undefined;
  /** Invalid documents. Their links are checked and reported, but they never run. */
  readonly drafts?: readonly ValidDocument[];
  /** Which hosts may get secrets. If undefined, every host may. */
  readonly secretHosts?: SecretHosts | undefined;
  /** Whether a reference has a value. If undefined, there are no warnings about missing values. */
  readonly isSet?: IsSet;
}

/** The set of documents that runs; all its links are intact. */
export interface Candidate {
  readonly accepted: ReadonlyMap<string, ValidDocument>;
  /** Names of deleted documents that keep running because another document links to them. */
  readonly deletedInUse: ReadonlySet<string>;
  /** Errors and warnings about links of the newest versions, accepted or not. */
  readonly findings: readonly { readonly document: ValidDocument; readonly findings: readonly Finding[] }[];
}

/** A document with broken links. */
interface Broken {
  readonly name: string;
  readonly document: ValidDocument;
  readonly links: readonly BrokenLink[];
}

/** The candidate while it is being chosen. The maps and sets belong to it alone. */
interface Choice {
  readonly versions: Versions;
  readonly chosen: Map<string, ValidDocument>;
  readonly unusable: Set<string>;
  readonly deleted: Set<string>;
  readonly findings: Map<ValidDocument, readonly Finding[]>;
}

/**
 * Chooses which versions of the documents run. It keeps what it found out about each document, so a choice after a save checks only
 * what the save can change. One choice at a time; the versions must not change until it is made.
 */
export class CandidateChooser {
  readonly #catalog: ToolCatalog;
  readonly #links = new TrackedCheck(linkNotes);
  readonly #notes = new TrackedCheck(documentNotes);

  constructor(catalog: ToolCatalog) {
    this.#catalog = catalog;
  }

  /**
   * Chooses the newest valid version of each document whose links are intact (design.md, Config). While links are broken,
   * it takes the first of these steps that helps for all broken documents, then checks all links again:
   *
   * 1. a deleted target keeps running;
   * 2. the broken document falls back to its last good version;
   * 3. its target falls back to its last good version (a template lost a variable, an api was disabled);
   * 4. the document is left out.
   *
   * Each step only moves a document from newest to last good to left out, so the loop ends. All links within the last good
   * set are intact, so a document that ran before is left out only if no version of a target is left.
   */
  async choose(versions: Versions): Promise<Candidate> {
    const choice = await this.#chooseLinked(versions);
    await this.#addWarnings(choice);
    return candidateOf(choice);
  }

  /** As `choose`, but its findings are about links alone: all errors, and few of the warnings. */
  async chooseLinked(versions: Versions): Promise<Candidate> {
    return candidateOf(await this.#chooseLinked(versions));
  }

  async #chooseLinked(versions: Versions): Promise<Choice> {
    let choice = newestVersions(versions);
    let links = await this.#links.run(this.#view(choice));
    for (let broken = findBroken(choice, links); broken.length > 0; broken = findBroken(choice, links)) {
      choice = repaired(broken, choice);
      links = await this.#links.run(this.#view(choice));
    }
    if (choice.deleted.size > 0) choice = withoutUnnamed(choice);
    await this.#addDrafts(choice);
    for (const [name, document] of choice.chosen) addIfNewest(choice, document, links.get(name)?.inUse ?? []);
    return choice;
  }

  #view({ versions, chosen, unusable, deleted }: Choice): ConfigView {
    const settingsDraft = versions.drafts?.find(({ name }) => name === 'settings');
    return new ConfigView({ chosen, unusable, deleted, settingsDraft, catalog: this.#catalog });
  }

  /** Reports broken links of invalid documents, which never run. */
  async #addDrafts(choice: Choice): Promise<void> {
    const view = this.#view(choice);
    const breathe = createYielder();
    for (const draft of choice.versions.drafts ?? []) {
      const broken = brokenLinks(draft, new Others(view));
      choice.findings.set(
        draft,
        broken.map(({ finding }) => finding),
      );
      await breathe();
    }
  }

  async #addWarnings(choice: Choice): Promise<void> {
    const breathe = createYielder();
    const { versions, chosen } = choice;
    const notes = await this.#notes.run(this.#view(choice));
    const noted: (DocumentNotes & { readonly document: ValidDocument })[] = [];
    for (const [name, document] of chosen) {
      const found = notes.get(name);
      if (found !== undefined) noted.push({ document, ...found });
    }
    const told = noted.filter(({ before }) => before.length > 0);
    for (const i of told[0]?.before.keys() ?? [])
      for (const { document, before } of told) addIfNewest(choice, document, before[i] ?? []);
    await breathe();
    const leads = noted.flatMap(({ lead }) => lead ?? []);
    for (const [document, found] of exfiltrationWarnings(leads, chosen)) addIfNewest(choice, document, found);
    await breathe();
    for (const { document, after } of noted) addIfNewest(choice, document, after);
    const { isSet, newest, drafts = [] } = versions;
    if (isSet === undefined) return;
    for (const document of [...newest.values(), ...drafts])
      if (document !== undefined) add(choice, document, unsetReferences(document, isSet));
  }
}

function candidateOf({ chosen, deleted, findings }: Choice): Candidate {
  return {
    accepted: chosen,
    deletedInUse: deleted,
    findings: Array.from(findings, ([document, findings]) => ({ document, findings })),
  };
}

function add({ findings }: Choice, document: ValidDocument, notes: readonly Finding[]): void {
  if (notes.length > 0) findings.set(document, [...(findings.get(document) ?? []), ...notes]);
}

function addIfNewest(choice: Choice, document: ValidDocument, notes: readonly Finding[]): void {
  if (notes.length > 0 && document === choice.versions.newest.get(document.name)) add(choice, document, notes);
}

/** The newest version of each document, or its last good version where the newest is invalid. */
function newestVersions(versions: Versions): Choice {
  const chosen = new Map<string, ValidDocument>();
  const unusable = new Set<string>();
  for (const [name, newest] of versions.newest) {
    const document = newest ?? versions.good(name);
    if (document === undefined) unusable.add(name);
    else chosen.set(name, document);
  }
  return { versions, chosen, unusable, deleted: new Set(), findings: new Map() };
}

function findBroken({ chosen, versions }: Choice, found: ReadonlyMap<string, LinkNotes>): Broken[] {
  const broken: Broken[] = [];
  for (const [name, document] of chosen) {
    const notes = found.get(name);
    const hosts = newHosts(document, versions.secretHosts);
    if (notes === undefined && hosts.length === 0) continue;
    const links = [...(notes?.broken ?? []), ...hosts, ...(notes?.cycle === undefined ? [] : [notes.cycle])];
    if (links.length > 0) broken.push({ name, document, links });
  }
  return broken;
}

/** Takes the first step that helps for all broken documents, and records the broken links of newest versions. */
function repaired(broken: readonly Broken[], before: Choice): Choice {
  const choice = copyOf(before);
  const { versions, chosen, unusable, findings } = choice;
  const left = broken.flatMap(({ links, ...rest }): Broken[] => {
    const still = links.filter(({ to, isMissing }) => !(isMissing && revive(to, choice)));
    return still.length > 0 ? [{ ...rest, links: still }] : [];
  });
  for (const { name, document, links } of left)
    if (document === versions.newest.get(name))
      findings.set(
        document,
        links.map(({ finding }) => finding),
      );
  if (left.length === 0 || fallBack(left, choice) || fallBackTargets(left, choice)) return choice;
  for (const { name } of left) {
    chosen.delete(name);
    if (versions.newest.has(name)) unusable.add(name);
  }
  return choice;
}

/** A choice that can be changed while checks still read the earlier one. */
function copyOf(choice: Choice): Choice {
  const { chosen, unusable, deleted } = choice;
  return { ...choice, chosen: new Map(chosen), unusable: new Set(unusable), deleted: new Set(deleted) };
}

/** Keeps the last good version of a deleted document running; false if it is not deleted or never ran. */
function revive(name: string, { versions, chosen, deleted }: Choice): boolean {
  if (versions.newest.has(name)) return false;
  if (deleted.has(name)) return chosen.has(name);
  const good = versions.good(name);
  if (good === undefined) return false;
  deleted.add(name);
  chosen.set(name, good);
  return true;
}

/** Replaces each broken document by its last good version if that differs. True if at least one was replaced. */
function fallBack(broken: readonly Broken[], { versions, chosen }: Choice): boolean {
  let hasMoved = false;
  for (const { name, document } of broken) {
    const good = versions.good(name);
    if (good === undefined || isSame(good, document)) continue;
    chosen.set(name, good);
    hasMoved = true;
  }
  return hasMoved;
}

/** Replaces the targets of broken links by their last good versions if those differ. True if at least one was replaced. */
function fallBackTargets(broken: readonly Broken[], { versions, chosen }: Choice): boolean {
  let hasMoved = false;
  for (const { to } of broken.flatMap(({ links }) => links)) {
    const target = chosen.get(to);
    const good = versions.good(to);
    if (target === undefined || good === undefined || isSame(target, good)) continue;
    chosen.set(to, good);
    hasMoved = true;
  }
  return hasMoved;
}

function isSame(a: ValidDocument, b: ValidDocument): boolean {
  return a === b || a.source.hash === b.source.hash;
}

/** Drops deleted documents that no other chosen document links to, directly or indirectly. */
function withoutUnnamed(before: Choice): Choice {
  const choice = copyOf(before);
  const { chosen, deleted } = choice;
  const named = new Set<string>();
  const queue = Array.from(chosen.keys()).filter((name) => !deleted.has(name));
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const document = chosen.get(name);
    if (document === undefined || !document.isEnabled) continue;
    for (const { to } of document.links) {
      if (!deleted.has(to) || named.has(to)) continue;
      named.add(to);
      queue.push(to);
    }
  }
  for (const name of [...deleted]) {
    if (named.has(name)) continue;
    deleted.delete(name);
    chosen.delete(name);
  }
  return choice;
}
