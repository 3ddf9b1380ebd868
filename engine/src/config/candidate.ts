import type { ValidDocument } from './document.ts';
import { type BrokenLink, brokenLinks, fallbackCycles, type LinkWorld } from './follow.ts';
import type { Finding } from './problem.ts';

/** All that is known of the documents before their links are followed. */
export interface Versions {
  /** The valid version on disk; undefined where a file is there but bad. Deleted documents are not listed. */
  readonly newest: ReadonlyMap<string, ValidDocument | undefined>;
  /** The version that ran last, deleted documents included. */
  readonly good: (name: string) => ValidDocument | undefined;
  /** Bad documents, whose links are only reported on. */
  readonly drafts?: readonly ValidDocument[];
}

/** The set that runs: it always links. */
export interface Candidate {
  readonly accepted: ReadonlyMap<string, ValidDocument>;
  /** Deleted documents that run on because somebody names them. */
  readonly deletedInUse: ReadonlySet<string>;
  /** What is wrong with links of newest versions, accepted or not. */
  readonly findings: readonly { readonly document: ValidDocument; readonly findings: readonly Finding[] }[];
}

/**
 * The newest valid version of each document, as far as its links hold (design.md, Config). Where one does not: a deleted
 * target runs on; else the naming document falls back to its last good; else, where that is no other, its target does;
 * else the document is left out. Each document only ever moves newest → good → out, so this ends, and since the last
 * good set links by itself, a document that ran is left out only when its links can no longer be had.
 */
export function chooseCandidate(versions: Versions): Candidate {
  const chosen = new Map<string, ValidDocument>();
  for (const [name, newest] of versions.newest) {
    const document = newest ?? versions.good(name);
    if (document !== undefined) chosen.set(name, document);
  }
  const deleted = new Set<string>();
  const findings = new Map<ValidDocument, readonly Finding[]>();
  const world: LinkWorld = {
    get: (name) => chosen.get(name),
    isThere: (name) => versions.newest.has(name),
    names: () => chosen.keys(),
  };
  for (let isMoving = true; isMoving;) {
    const cycles = fallbackCycles(enabledApis(chosen), world);
    // All are judged before any is moved: one bad document must not make its neighbours look worse than they are.
    const bad = Array.from(chosen).flatMap(([name, document]) => {
      const broken = brokenLinks(document, world);
      const cycle = cycles.get(name);
      if (cycle !== undefined) broken.push(cycle);
      return broken.length > 0 ? [{ name, document, broken }] : [];
    });
    isMoving = bad.length > 0;
    for (const { name, document, broken } of bad) {
      const left = broken.filter(({ to, isMissing }) => !(isMissing && revive(to, versions, chosen, deleted)));
      if (left.length === 0 || chosen.get(name) !== document) continue;
      if (document === versions.newest.get(name))
        findings.set(
          document,
          left.map(({ finding }) => finding),
        );
      fallBack(name, document, left, versions, chosen);
    }
  }
  forgetUnnamed(chosen, deleted);
  for (const draft of versions.drafts ?? [])
    findings.set(
      draft,
      brokenLinks(draft, world).map(({ finding }) => finding),
    );
  const hasNotes = deleted.size > 0 || Array.from(chosen.values()).some(({ isEnabled }) => !isEnabled);
  const notes = (hasNotes ? [...chosen] : []).flatMap(([name, document]) =>
    document === versions.newest.get(name) ? note(document, chosen, deleted) : [],
  );
  for (const { document, findings: more } of notes)
    findings.set(document, [...(findings.get(document) ?? []), ...more]);
  return {
    accepted: chosen,
    deletedInUse: deleted,
    findings: Array.from(findings, ([document, list]) => ({ document, findings: list })),
  };
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

function fallBack(
  name: string,
  document: ValidDocument,
  broken: readonly BrokenLink[],
  versions: Versions,
  chosen: Map<string, ValidDocument>,
): void {
  const good = versions.good(name);
  if (good !== undefined && !isSame(good, document)) {
    chosen.set(name, good);
    return;
  }
  for (const { to } of broken) {
    const target = chosen.get(to);
    const goodTarget = versions.good(to);
    if (target === undefined || goodTarget === undefined || isSame(target, goodTarget)) continue;
    chosen.set(to, goodTarget);
    return;
  }
  chosen.delete(name);
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
function note(
  document: ValidDocument,
  chosen: ReadonlyMap<string, ValidDocument>,
  deleted: ReadonlySet<string>,
): { document: ValidDocument; findings: Finding[] }[] {
  if (!document.isEnabled) return [];
  const findings = document.links.flatMap((link): Finding[] => {
    if (deleted.has(link.to)) {
      const message = `${link.kind} "${link.id}" was deleted; its last good version runs on until nobody names it`;
      return [
        { code: 'CONFIG_DELETED_IN_USE', path: link.path, message, hint: `restore ${link.to}, or take it out here` },
      ];
    }
    if (chosen.get(link.to)?.isEnabled !== false || link.disabled === 'need') return [];
    const message = `${link.kind} "${link.id}" is disabled and is left out`;
    return [
      { code: 'CONFIG_DISABLED_IN_USE', path: link.path, message, hint: `enable ${link.to}, or take it out here` },
    ];
  });
  return findings.length > 0 ? [{ document, findings }] : [];
}
