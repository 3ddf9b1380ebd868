import type { Problem } from './config.ts';

/** Names listed in a hint. */
const MAX_NAMED = 5;

/**
 * The problems of a report, one for each mistake. A document that depends on an invalid one is not a problem of its own if
 * the invalid one is in the report, whose hint then names it. An error hides the warnings about the same value.
 * `all`: also the problems that are not reported, to follow causes through them.
 */
export function oneProblemPerMistake(problems: readonly Problem[], all = problems): Problem[] {
  const roots = new Map<string, Problem>();
  for (const problem of problems) {
    const name = nameOf(problem);
    if (problem.severity === 'error' && problem.causedBy === undefined) roots.set(name, roots.get(name) ?? problem);
  }
  const causes = new Map(all.flatMap((one) => (one.causedBy === undefined ? [] : [[nameOf(one), one.causedBy]])));
  const dependants = new Map<Problem, Set<string>>();
  const kept = problems.filter((problem) => {
    const root = problem.causedBy === undefined ? undefined : rootOf(problem.causedBy, { roots, causes });
    if (root === undefined) return true;
    dependants.set(root, (dependants.get(root) ?? new Set()).add(nameOf(problem)));
    return false;
  });
  const places = new Set(kept.filter(({ severity }) => severity === 'error').map(cursorOf));
  return kept
    .filter((problem) => problem.severity === 'error' || !places.has(cursorOf(problem)))
    .map((problem) => withDependants(problem, dependants.get(problem)));
}

/** The first error of the document at the end of a chain of causes; undefined if it is not in the report. */
function rootOf(
  name: string,
  known: { readonly roots: ReadonlyMap<string, Problem>; readonly causes: ReadonlyMap<string, string> },
): Problem | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = name; at !== undefined && !seen.has(at); at = known.causes.get(at)) {
    const root = known.roots.get(at);
    if (root !== undefined) return root;
    seen.add(at);
  }
  return undefined;
}

function withDependants(problem: Problem, names: ReadonlySet<string> | undefined): Problem {
  if (names === undefined) return problem;
  const shown = [...names].slice(0, MAX_NAMED).join(', ');
  const more = names.size > MAX_NAMED ? ` and ${names.size - MAX_NAMED} more` : '';
  const until = `until then ${names.size === 1 ? 'this does' : 'these do'} not run: ${shown}${more}`;
  return { ...problem, hint: problem.hint === undefined ? until : `${problem.hint}; ${until}`, stops: [...names] };
}

/** `config/apis/main.yaml` → `apis/main` */
function nameOf({ file }: Problem): string {
  return file.slice(file.indexOf('/') + 1).replace(/\.[^./]*$/, '');
}

function cursorOf({ file, path, line, column }: Problem): string {
  return `${file} ${path} ${line} ${column}`;
}
