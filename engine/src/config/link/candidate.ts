import type { ValidDocument } from '../validate/validate.ts';
import { type BrokenLink, brokenLinks, fallbackCycles, type LinkTargets } from './broken-links.ts';
import type { Link } from '../validate/links.ts';
import type { Knowledge } from '../config.ts';
import { exfiltrationWarnings } from './exfiltration-warnings.ts';
import { localityWarnings } from './locality-warnings.ts';
import type { Finding } from '../problem.ts';

/** All that is known of the documents before their links are followed. */
export interface Versions {
  /** The valid version on disk; undefined where a file is there but bad. Deleted documents are not listed. */
  readonly newest: ReadonlyMap<string, ValidDocument | undefined>;
  /** The version that ran last, deleted documents included. */
  readonly good: (name: string) => ValidDocument | undefined;
  /** Bad documents, whose links are only reported on. */
  readonly drafts?: readonly ValidDocument[];
  /** Every tool there is; without them nothing is said about what they could do together. */
  readonly tools?: Knowledge['tools'];
}

/** The set that runs: it always links. */
export interface Candidate {
  readonly accepted: ReadonlyMap<string, ValidDocument>;
  /** Deleted documents that run on because somebody names them. */
  readonly deletedInUse: ReadonlySet<string>;
  /** What is wrong with links of newest versions, accepted or not. */
  readonly findings: readonly { readonly document: ValidDocument; readonly findings: readonly Finding[] }[];
}

/** A document whose links do not hold, as the round found it. */
interface Bad {
  readonly name: string;
  readonly document: ValidDocument;
  readonly broken: readonly BrokenLink[];
}

/**
 * The newest valid version of each document, as far as its links hold (design.md, Config). Where they do not, the mildest
 * step that helps is taken for all bad documents, and all are judged again: a deleted target runs on; the naming document
 * falls back to its last good; its target does (a template lost a variable, an api was disabled); the document is left
 * out. Each only ever moves newest → good → out, so this ends, and since the last good set links by itself, a document
 * that ran is left out only when its links can no longer be had.
 */
export function chooseCandidate(versions: Versions): Candidate {
  const chosen = new Map<string, ValidDocument>();
  for (const [name, newest] of versions.newest) {
    const document = newest ?? versions.good(name);
    if (document !== undefined) chosen.set(name, document);
  }
  const deleted = new Set<string>();
  const findings = new Map<ValidDocument, readonly Finding[]>();
  const world: LinkTargets = {
    get: (name) => chosen.get(name),
    isThere: (name) => versions.newest.has(name),
    names: () => chosen.keys(),
  };
  for (let bad = judge(chosen, world); bad.length > 0; bad = judge(chosen, world)) {
    const left = bad.flatMap(({ broken, ...rest }): Bad[] => {
      const still = broken.filter(({ to, isMissing }) => !(isMissing && revive(to, versions, chosen, deleted)));
      return still.length > 0 ? [{ ...rest, broken: still }] : [];
    });
    for (const { name, document, broken } of left)
      if (document === versions.newest.get(name))
        findings.set(
          document,
          broken.map(({ finding }) => finding),
        );
    if (left.length === 0 || fallBack(left, versions, chosen) || fallBackTargets(left, versions, chosen)) continue;
    for (const { name } of left) chosen.delete(name);
  }
  forgetUnnamed(chosen, deleted);
  for (const draft of versions.drafts ?? [])
    findings.set(
      draft,
      brokenLinks(draft, world).map(({ finding }) => finding),
    );
  for (const [document, notes] of notesOn(chosen, deleted, versions))
    findings.set(document, [...(findings.get(document) ?? []), ...notes]);
  for (const [document, notes] of [
    ...localityWarnings(chosen),
    ...exfiltrationWarnings(chosen, versions.tools ?? new Map()),
  ])
    if (document === versions.newest.get(document.name))
      findings.set(document, [...(findings.get(document) ?? []), ...notes]);
  return {
    accepted: chosen,
    deletedInUse: deleted,
    findings: Array.from(findings, ([document, list]) => ({ document, findings: list })),
  };
}

function judge(chosen: ReadonlyMap<string, ValidDocument>, world: LinkTargets): Bad[] {
  const cycles = fallbackCycles(enabledApis(chosen), world);
  const bad: Bad[] = [];
  for (const [name, document] of chosen) {
    const broken = brokenLinks(document, world);
    const cycle = cycles.get(name);
    if (cycle !== undefined) broken.push(cycle);
    if (broken.length > 0) bad.push({ name, document, broken });
  }
  return bad;
}

function* enabledApis(chosen: ReadonlyMap<string, ValidDocument>): Iterable<ValidDocument> {
  for (const document of chosen.values())
    if (document.typed.kind === 'api' && document.isEnabled && document.links.length > 0) yield document;
}

/** Whether a deleted document runs on, from now if need be; false where it is not deleted or never ran. */
function revive(name: string, versions: Versions, chosen: Map<string, ValidDocument>, deleted: Set<string>): boolean {
  if (versions.newest.has(name)) return false;
  if (deleted.has(name)) return chosen.has(name);
  const good = versions.good(name);
  if (good === undefined) return false;
  deleted.add(name);
  chosen.set(name, good);
  return true;
}

/** Puts each bad document that has another last good version back to it. True where one had. */
function fallBack(bad: readonly Bad[], versions: Versions, chosen: Map<string, ValidDocument>): boolean {
  let hasMoved = false;
  for (const { name, document } of bad) {
    const good = versions.good(name);
    if (good === undefined || isSame(good, document)) continue;
    chosen.set(name, good);
    hasMoved = true;
  }
  return hasMoved;
}

/** Puts targets that bad documents cannot live with back to their last good version. True where one had another. */
function fallBackTargets(bad: readonly Bad[], versions: Versions, chosen: Map<string, ValidDocument>): boolean {
  let hasMoved = false;
  for (const { to } of bad.flatMap(({ broken }) => broken)) {
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

/** Takes out deleted documents that nothing names (any more), whether directly or through others that stay. */
function forgetUnnamed(chosen: Map<string, ValidDocument>, deleted: Set<string>): void {
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

/** What a person should know about links that hold: the target was deleted, or is switched off. */
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
    const message = `${link.kind} "${link.id}" was deleted; its last good version runs on until nobody names it`;
    return [
      { code: 'CONFIG_DELETED_IN_USE', path: link.path, message, hint: `restore ${link.to}, or take it out here` },
    ];
  }
  if (chosen.get(link.to)?.isEnabled !== false || link.disabled === 'need') return undefined;
  const message = `${link.kind} "${link.id}" is disabled and is left out`;
  return [{ code: 'CONFIG_DISABLED_IN_USE', path: link.path, message, hint: `enable ${link.to}, or take it out here` }];
}
