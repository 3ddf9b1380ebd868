/** One thing that a tutorial page tells its reader to do. */
export type Action =
  | { readonly kind: 'write' | 'append'; readonly file: string; readonly text: string }
  | { readonly kind: 'replace'; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: 'command'; readonly command: string; readonly prints?: string };

/** A section of a tutorial page, with its actions in the order of the page. */
export interface Step {
  readonly title: string;
  readonly actions: readonly Action[];
}

const FENCED = String.raw`\n\n${'```'}\w+\n(?<text>[^]*?)^${'```'}$`;
const FILE = new RegExp(
  String.raw`(?<verb>Save\sthis\s(?:file|mail)\sas|Add\sto\sthe\send\sof)\s\x60(?<file>[^\x60]+)\x60:${FENCED}`,
  'm',
);
const REPLACE = /In\s`(?<edited>[^`]+)`,\s+change\s`(?<from>[^`]+)`\s+to\s`(?<to>[^`]+)`/;
const COMMANDS = /^```sh\n(?<commands>[^]*?)^```$(?:\n\n```text\n(?<prints>[^]*?)^```$)?/m;
const ACTION = new RegExp([FILE, REPLACE, COMMANDS].map(({ source }) => source).join('|'), 'gm');

/** The numbered sections of a page (`## 1. …`). */
export function readSteps(page: string): Step[] {
  return page
    .split(/^## /m)
    .filter((section) => /^\d+\. /.test(section))
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      actions: [...section.matchAll(ACTION)].flatMap(({ groups = {} }) => actionsOf(groups)),
    }));
}

function actionsOf(groups: Readonly<Record<string, string | undefined>>): Action[] {
  const { verb, file = '', text = '', edited, from = '', to = '', commands = '', prints } = groups;
  if (verb !== undefined) return [{ kind: verb.startsWith('Save') ? 'write' : 'append', file, text }];
  if (edited !== undefined) return [{ kind: 'replace', file: edited, from, to }];
  const lines = commands.trim().split('\n');
  return lines.map((command, index) => ({
    kind: 'command',
    command,
    ...(prints !== undefined && index === lines.length - 1 && { prints }),
  }));
}

/**
 * The lines of an output without what differs from run to run: ids, times, durations, revisions. Sorted, since a terminal
 * mixes stdout and stderr.
 */
export function comparable(output: string): string[] {
  return (
    output
      .replace(/\b(run|appr|mail)_\w+/g, '$1_#')
      .replace(SHORT_ID, '#')
      .replace(/(\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d(\.\d+)?/g, '#')
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC\b/g, '#')
      .replace(/\b[\d.,]+ (ms|s)\b/g, '# ms')
      .replace(/\brevision \w+/g, 'revision #')
      .split('\n')
      .map((line) => line.trim().replace(/\s+/g, ' '))
      // A slow machine also says what a run waits for.
      .filter((line) => line !== '' && !line.startsWith('… '))
      .sort()
  );
}

/** The beginning of an id, as lists show it. */
const SHORT_ID = /\b01[0-9a-z]{6,12}\b/g;

/** The ids in a text, in order, full or shortened. */
export function idsIn(text: string): string[] {
  return text.match(/\b(?:run|appr)_\w+|\b01[0-9a-z]{6,12}\b/g) ?? [];
}
