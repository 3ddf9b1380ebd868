import type { DocumentState, Problem } from '../config.ts';
import { createYielder } from '../../base/yielding.ts';
import type { Candidate } from '../link/candidate.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { FileTable } from '../validate/file-table.ts';
import { locator } from '../parse/parse.ts';
import { fileProblem, type Finding, limitFindings, sortProblems, toPointer, toProblem } from '../problem.ts';
import { compareText } from '../problem.ts';

/** Problems of links with their positions. Each position is computed once per version of a document. */
export class LinkProblems {
  readonly #known = new WeakMap<ValidDocument, Map<string, Problem>>();

  /** Adds positions to findings. Yields to the event loop in between, since a thousand directors may name a broken API. */
  async locate(findings: Candidate['findings']): Promise<Problem[]> {
    const breathe = createYielder();
    const problems: Problem[] = [];
    for (const { document, findings: list } of findings) {
      problems.push(...this.#locateAll(document, list));
      await breathe();
    }
    return problems;
  }

  #locateAll(document: ValidDocument, findings: readonly Finding[]): Problem[] {
    let known = this.#known.get(document);
    if (known === undefined) this.#known.set(document, (known = new Map()));
    const locate = locator(document.source.text);
    return limitFindings(findings).map((finding) => {
      const key = `${finding.code} ${toPointer(finding.path)} ${finding.message} ${finding.hint ?? ''}`;
      let problem = known.get(key);
      if (problem === undefined) known.set(key, (problem = toProblem(finding, document.source.file, locate)));
      return problem;
    });
  }
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
  const newest = table.newest();
  const states: DocumentState[] = [];
  for (const [name, document] of newest) {
    const accepted = candidate.accepted.get(name);
    const [found] = table.named(name);
    if (found?.location === undefined) continue;
    const { kind, id } = found.location;
    const file = found.source?.file ?? found.problems[0]?.file ?? '';
    const state = accepted === undefined ? 'invalid' : accepted === document ? 'live' : 'stale';
    states.push({ kind, id, file, hash: accepted?.source.hash ?? '', state });
  }
  for (const [, { source }] of [...candidate.accepted].filter(([name]) => !newest.has(name)))
    states.push({ kind: source.kind, id: source.id, file: source.file, hash: source.hash, state: 'stale' });
  return states.sort((a, b) => compareText(a.file, b.file));
}
