import { EngineError } from '../../base/error.ts';
import type { ChangedSides, PlayedSide } from '../changes.ts';
import type { Compared, Difference } from '../difference.ts';
import type { PlayedRun } from '../replay.ts';

/** Most characters of all texts of one side. */
const MAX_SIDE = 60_000;
/** Most characters of one text. */
const MAX_TEXT = 20_000;

/** Both sides of the runs that were played, with cut texts, so that the result of a comparison stays small. */
export class SidesOfRuns {
  readonly #runs = new Map<string, { readonly before: PlayedSide; readonly after: PlayedSide | undefined }>();
  #changed: ReadonlyMap<string, ChangedSides> = new Map();

  /** Keeps a run and its play. */
  keep(name: string, before: PlayedRun, after: PlayedRun | undefined): void {
    this.#runs.set(name, { before: sideOf(before), after: after && sideOf(after) });
  }

  /** Keeps only what changed, and returns its rows without texts. */
  finish(changed: readonly Compared[]): Compared[] {
    const byName = Map.groupBy(changed, ({ name }) => name);
    this.#changed = new Map(
      [...byName].flatMap(([name, all]): [string, ChangedSides][] => {
        const [first] = all;
        if (first === undefined) return [];
        const { subject, directorId } = first;
        const { before, after } = this.#runs.get(name) ?? {};
        const differences = all.flatMap((one) => one.differences.map(cut));
        return [
          [
            name,
            {
              ...{ name, subject, differences, ...(directorId !== undefined && { directorId }) },
              ...(before !== undefined && { before }),
              ...(after !== undefined && { after }),
            },
          ],
        ];
      }),
    );
    this.#runs.clear();
    return changed.map((one) => ({ ...one, differences: one.differences.map(withoutTexts) }));
  }

  /** The entry of a mail or a run. `NOT_FOUND`. */
  find(name: string): ChangedSides {
    const found = this.#changed.get(name);
    if (found === undefined) throw new EngineError('NOT_FOUND', `the comparison has no change of "${name}"`);
    return found;
  }
}

function sideOf({ calls, items, answer, ...run }: PlayedRun): PlayedSide {
  let left = MAX_SIDE;
  const take = (text: string) => {
    const most = Math.min(MAX_TEXT, left);
    left -= Math.min(text.length, most);
    return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
  };
  return {
    ...run,
    answer: take(answer),
    items: items.slice(0, 50).map((item) => ({ ...item, data: take(item.data) })),
    calls: calls
      .slice(0, 200)
      .map((call) => ({ ...call, arguments: take(JSON.stringify(call.arguments, undefined, 2) ?? '') })),
  };
}

/** A difference whose values fit into a page: a whole request to a model does not. */
function cut({ words, before, after, ...rest }: Difference): Difference {
  return {
    ...rest,
    ...(words !== undefined && { words: words.slice(0, 2000) }),
    ...(rest.kind === 'routing' && before !== undefined && after !== undefined && { before, after }),
  };
}

function withoutTexts({ kind, text, loosens }: Difference): Difference {
  return { kind, text, ...(loosens === true && { loosens }) };
}
