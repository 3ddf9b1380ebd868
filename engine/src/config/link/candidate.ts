import type { ValidDocument } from '../validate/validate.ts';
import { type BrokenLink, brokenLinks, fallbackCycles, type LinkTargets } from './broken-links.ts';
import type { Link } from '../validate/links.ts';
import type { ToolCatalog } from '../config.ts';
import { chatWarnings } from './chat-warnings.ts';
import { cliWarnings } from './cli-warnings.ts';
import { exfiltrationWarnings } from './exfiltration-warnings.ts';
import { gateWarnings } from './gate-warnings.ts';
import { localityWarnings } from './locality-warnings.ts';
import { promptWarnings } from './prompt-warnings.ts';
import { allTools, toolWarnings } from './tool-warnings.ts';
import { scopeWarnings } from './scope-warnings.ts';
import { type IsSet, unsetReferences } from './unset-references.ts';
import { newHosts } from './new-hosts.ts';
import type { SecretHosts } from '../secrets.ts';
import type { Finding } from '../problem.ts';

/** The versions of all documents before their links are checked. */
export interface Versions {
  /** The valid version on disk; undefined if the file is invalid. Deleted documents are not listed. */
  readonly newest: ReadonlyMap<string, ValidDocument | undefined>;
  /** The version that ran last, also for deleted documents. */
  readonly good: (name: string) => ValidDocument | undefined;
  /** Invalid documents. Their links are checked and reported, but they never run. */
  readonly drafts?: readonly ValidDocument[];
  /** The built-in tools. If undefined, there are no warnings about tools. */
  readonly catalog?: ToolCatalog;
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

/** The candidate while it is being chosen. */
interface Choice {
  readonly versions: Versions;
  readonly chosen: Map<string, ValidDocument>;
  readonly deleted: Set<string>;
  readonly findings: Map<ValidDocument, readonly Finding[]>;
  readonly targets: LinkTargets;
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
export function chooseCandidate(versions: Versions): Candidate {
  const choice = newestVersions(versions);
  for (let broken = findBroken(choice); broken.length > 0; broken = findBroken(choice)) repair(broken, choice);
  dropUnnamed(choice);
  reportDrafts(choice);
  reportWarnings(choice);
  return {
    accepted: choice.chosen,
    deletedInUse: choice.deleted,
    findings: Array.from(choice.findings, ([document, findings]) => ({ document, findings })),
  };
}

/** The newest version of each document, or its last good version where the newest is invalid. */
function newestVersions(versions: Versions): Choice {
  const chosen = new Map<string, ValidDocument>();
  for (const [name, newest] of versions.newest) {
    const document = newest ?? versions.good(name);
    if (document !== undefined) chosen.set(name, document);
  }
  const targets: LinkTargets = {
    get: (name) => chosen.get(name),
    isThere: (name) => versions.newest.has(name),
    names: () => chosen.keys(),
    tools: versions.catalog?.tools ?? new Map(),
  };
  return { versions, chosen, deleted: new Set(), findings: new Map(), targets };
}

function findBroken({ chosen, targets, versions }: Choice): Broken[] {
  const cycles = fallbackCycles(enabledApis(chosen), targets);
  const broken: Broken[] = [];
  for (const [name, document] of chosen) {
    const links = [...brokenLinks(document, targets), ...newHosts(document, versions.secretHosts)];
    const cycle = cycles.get(name);
    if (cycle !== undefined) links.push(cycle);
    if (links.length > 0) broken.push({ name, document, links });
  }
  return broken;
}

function* enabledApis(chosen: ReadonlyMap<string, ValidDocument>): Iterable<ValidDocument> {
  for (const document of chosen.values())
    if (document.typed.kind === 'api' && document.isEnabled && document.links.length > 0) yield document;
}

/** Takes the first step that helps for all broken documents, and records the broken links of newest versions. */
function repair(broken: readonly Broken[], choice: Choice): void {
  const { versions, chosen, findings } = choice;
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
  if (left.length === 0 || fallBack(left, choice) || fallBackTargets(left, choice)) return;
  for (const { name } of left) chosen.delete(name);
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
function dropUnnamed({ chosen, deleted }: Choice): void {
  if (deleted.size === 0) return;
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
}

/** Reports broken links of invalid documents, which never run. */
function reportDrafts({ versions, findings, targets }: Choice): void {
  for (const draft of versions.drafts ?? [])
    findings.set(
      draft,
      brokenLinks(draft, targets).map(({ finding }) => finding),
    );
}

function reportWarnings({ versions, chosen, deleted, findings }: Choice): void {
  const add = (document: ValidDocument, notes: readonly Finding[]) =>
    findings.set(document, [...(findings.get(document) ?? []), ...notes]);
  for (const [document, notes] of notesOn(chosen, deleted, versions)) add(document, notes);
  for (const [document, notes] of [
    ...localityWarnings(chosen),
    ...cliWarnings(chosen),
    ...promptWarnings(chosen),
    ...chatWarnings(chosen, versions),
    ...(versions.catalog === undefined ? [] : toolWarnings(chosen, versions.catalog)),
    ...(versions.catalog === undefined ? [] : gateWarnings(chosen, allTools(chosen, versions.catalog.tools))),
    ...exfiltrationWarnings(chosen, allTools(chosen, versions.catalog?.tools ?? new Map())),
    ...(versions.catalog === undefined ? [] : scopeWarnings(chosen, versions.catalog.tools, versions.drafts)),
  ])
    if (document === versions.newest.get(document.name)) add(document, notes);
  const { isSet } = versions;
  if (isSet === undefined) return;
  for (const document of [...versions.newest.values(), ...(versions.drafts ?? [])]) {
    const notes = document === undefined ? [] : unsetReferences(document, isSet);
    if (document !== undefined && notes.length > 0) add(document, notes);
  }
}

/** Warnings about intact links whose target was deleted or is disabled. */
function* notesOn(
  chosen: ReadonlyMap<string, ValidDocument>,
  deleted: ReadonlySet<string>,
  versions: Versions,
): Iterable<[ValidDocument, Finding[]]> {
  const isQuiet = deleted.size === 0 && !Array.from(chosen.values()).some(({ isEnabled }) => !isEnabled);
  if (isQuiet) return;
  for (const [name, document] of chosen) {
    if (!document.isEnabled || document !== versions.newest.get(name)) continue;
    const notes = document.links.flatMap((link): Finding[] => noteOn(link, chosen, deleted) ?? []);
    if (notes.length > 0) yield [document, notes];
  }
}

function noteOn(
  link: Link,
  chosen: ReadonlyMap<string, ValidDocument>,
  deleted: ReadonlySet<string>,
): Finding[] | undefined {
  if (deleted.has(link.to)) {
    const message = `${link.kind} "${link.id}" was deleted; its last good version keeps running while a document uses it`;
    return [
      { code: 'CONFIG_DELETED_IN_USE', path: link.path, message, hint: `restore ${link.to}, or remove the id here` },
    ];
  }
  if (chosen.get(link.to)?.isEnabled !== false || link.disabled === 'need') return undefined;
  const message = `${link.kind} "${link.id}" is disabled, so this id has no effect`;
  return [
    { code: 'CONFIG_DISABLED_IN_USE', path: link.path, message, hint: `enable ${link.to}, or remove the id here` },
  ];
}
