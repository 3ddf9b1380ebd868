import type { ReplayReport } from '../difference.ts';
import { PLAIN, sorted, wordLines } from './text-report.ts';

/** GitHub shows ten annotations of each level in a step. */
const MAX_ANNOTATIONS = 10;
/** Most mails and runs of a job summary, which has a limit of size. */
const MAX_LISTED = 200;

/** Annotations of a GitHub workflow, a line each: the loosened permissions as warnings, the summary as notices. */
export function githubAnnotations({ against, summary, warnings }: ReplayReport): string {
  const title = property(`Replay against ${against}`);
  return [
    ...warnings.slice(0, MAX_ANNOTATIONS).map((text) => `::warning title=Permits more than before::${data(text)}`),
    ...summary.slice(0, MAX_ANNOTATIONS).map((text) => `::notice title=${title}::${data(text)}`),
    '',
  ].join('\n');
}

/** The summary of a GitHub job, as Markdown. */
export function githubSummary({ against, tiers, summary, warnings, changed, leftOut }: ReplayReport): string {
  const rows = changed.slice(0, MAX_LISTED).map(({ tier, name, subject, differences }) => {
    const what = sorted(differences).map(({ kind, text }) => `**${kind}** ${cell(text)}`);
    return `| ${tier} | ${cell(subject)}<br>\`${name}\` | ${what.join('<br>')} |`;
  });
  const drafts = changed
    .slice(0, MAX_LISTED)
    .flatMap(({ name, differences }) =>
      differences.flatMap(({ kind, text, words }) =>
        kind === 'drafts' && words !== undefined
          ? [
              `<details><summary>${cell(`${name}: ${text}`)}</summary>\n\n${fenced(wordLines(words, PLAIN).join('\n'))}\n\n</details>`,
            ]
          : [],
      ),
    );
  return [
    `## Replay against \`${against.replaceAll('`', '')}\``,
    ...summary.map((text) => `- ${cell(text)}`),
    ...tiers.map(({ tier, total, changed: n }) => `- ${tier}: ${n} of ${total} changed`),
    ...(warnings.length > 0
      ? ['', '> [!WARNING]', '> Permits more than before:', ...warnings.map((text) => `> - ${cell(text)}`)]
      : []),
    ...(rows.length > 0 ? ['', '| tier | mail or run | what changed |', '| --- | --- | --- |', ...rows] : []),
    ...(changed.length > MAX_LISTED ? [`\n${changed.length - MAX_LISTED} more are not listed.`] : []),
    ...(drafts.length > 0 ? ['', ...drafts] : []),
    ...(leftOut.length > 0 ? ['', 'Left out:', ...leftOut.map(({ name, why }) => `- \`${name}\`: ${cell(why)}`)] : []),
    '',
  ].join('\n');
}

/** The text of a workflow command. Words of mails must not start another one. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text in a cell of a table. Words of mails are no HTML, no link and no mention. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? char)
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}

/** A block of code that the text cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
