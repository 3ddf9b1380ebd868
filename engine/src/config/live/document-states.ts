import type { DocumentState, Problem } from '../config.ts';
import { createYielder } from '../../base/yielding.ts';
import type { Candidate } from '../link/candidate.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { FileTable } from '../validate/file-table.ts';
import { locateFindings } from '../validate/validate-document.ts';
import { fileProblem, type Finding, limitFindings, sortProblems, toPointer } from '../problem.ts';
import { compareText } from '../problem.ts';

/** Problems of links with their positions. Each position is computed once per version of a document. */
export class LinkProblems {
  readonly #known = new WeakMap<ValidDocument, Map<string, Problem>>();

  /** Adds positions to findings. Yields to the event loop in between, since a thousand directors may name a broken API. */
  async locate(findings: Candidate['findings']): Promise<Problem[]> {
    const breathe = createYielder();
    const problems: Problem[] = [];
    for (const { document, findings: list } of findings) {
      problems.push(...(await this.#locateAll(document, list)));
      await breathe();
    }
    return problems;
  }

  async #locateAll(document: ValidDocument, findings: readonly Finding[]): Promise<Problem[]> {
    let known = this.#known.get(document);
    if (known === undefined) this.#known.set(document, (known = new Map()));
    const keyed = limitFindings(findings).map((finding) => ({ finding, key: keyOf(finding) }));
    const fresh = keyed.filter(({ key }) => !known.has(key));
    const located = await locateFindings(
      document.source,
      fresh.map(({ finding }) => finding),
    );
    for (const [i, problem] of located.entries()) known.set(fresh[i]?.key ?? '', problem);
    return keyed.flatMap(({ key }) => known.get(key) ?? []);
  }
}

function keyOf({ code, path, message, hint = '' }: Finding): string {
  return `${code} ${toPointer(path)} ${message} ${hint}`;
}

/** All problems: of files, of links, and of deleted documents that only a stale document names. */
export function allProblems(table: FileTable, candidate: Candidate, linkProblems: readonly Problem[]): Problem[] {
  const told = new Set<string>();
  for (const { document, findings } of candidate.findings)
    for (const { code, path } of findings) {
      if (code !== 'CONFIG_DELETED_IN_USE') continue;
      const link = document.links.find((one) => toPointer(one.path) === toPointer(path));
      if (link !== undefined) told.add(link.to);
    }
  const deleted = Array.from(candidate.deletedInUse, (name) => candidate.accepted.get(name)).flatMap((document) => {
    if (document === undefined || told.has(document.name)) return [];
    const message = `${document.name} was deleted, but the running earlier version of another document names it`;
    return [
      fileProblem(
        'CONFIG_DELETED_IN_USE',
        document.source.file,
        message,
        'restore it, or correct the document that names it',
      ),
    ];
  });
  return sortProblems([...table.problems(), ...linkProblems, ...deleted]);
}

/** The state of each document. */
export function documentStates(table: FileTable, candidate: Candidate): DocumentState[] {
  const names = new Set([...table.newest().keys(), ...candidate.accepted.keys()]);
  return Array.from(names, (name) => documentState(table, candidate, name))
    .filter((state) => state !== undefined)
    .sort((a, b) => compareText(a.file, b.file));
}

/** The state of one document by its name (`agents/reply`); undefined if there is none. */
export function documentState(table: FileTable, candidate: Candidate, name: string): DocumentState | undefined {
  const accepted = candidate.accepted.get(name);
  const newest = table.newest();
  if (!newest.has(name)) {
    if (accepted === undefined) return undefined;
    const { kind, id, file, hash } = accepted.source;
    return { kind, id, file, hash, state: 'stale' };
  }
  const [found] = table.named(name);
  if (found?.location === undefined) return undefined;
  const { kind, id } = found.location;
  const file = found.source?.file ?? found.problems[0]?.file ?? '';
  const state = accepted === undefined ? 'invalid' : accepted === newest.get(name) ? 'live' : 'stale';
  return { kind, id, file, hash: accepted?.source.hash ?? '', state };
}
