import type { Compared, Difference, ReplayReport, WordChange } from '../difference.ts';
import { sorted } from './text-report.ts';

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d8dbe0,#3a3f47);--soft:light-dark(#f5f6f8,#1d2025);--add:light-dark(#d9f2df,#1f4a2c);
--del:light-dark(#fbdfdf,#5a2427);--warn:light-dark(#8a4b00,#f0b45b)}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:2rem 1.25rem;background:light-dark(#fff,#14161a);color:light-dark(#1c1f24,#e4e6ea)}
h1{font-size:1.4rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}ul{margin:.25rem 0 1rem;padding-left:1.25rem}
table{border-collapse:collapse;margin:0 0 1rem}th,td{text-align:left;padding:.25rem 1rem .25rem 0;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
details{border:1px solid var(--line);border-radius:8px;margin:0 0 .5rem}summary{padding:.6rem .9rem;cursor:pointer;overflow-wrap:anywhere}
details>div{padding:0 .9rem .75rem}.kind{display:inline-block;min-width:6.5rem;opacity:.7}.warn{color:var(--warn);font-weight:600}
.name{opacity:.65;font-size:.85em}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);border-radius:6px;padding:.6rem .8rem;margin:.4rem 0 .8rem;font-size:.87em}
ins{background:var(--add);text-decoration:none}del{background:var(--del)}p{margin:.3rem 0;overflow-wrap:anywhere}`;

/** A report as one page that loads nothing, for a browser. */
export function htmlReport(report: ReplayReport): string {
  const { against, tiers, summary, warnings, changed, leftOut } = report;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Replay against ${escape(against)}</title><style>${STYLE}</style></head><body>
<h1>Replay against ${escape(against)}</h1>
${list(summary)}
<table><thead><tr><th>Tier</th><th>Tried</th><th>Changed</th><th>Not recorded</th><th>Seconds</th></tr></thead><tbody>${tiers
    .map(
      ({ tier, total, changed: n, missed, tookMs }) =>
        `<tr><td>${tier}</td><td>${total}</td><td>${n}</td><td>${missed}</td><td>${(tookMs / 1000).toFixed(1)}</td></tr>`,
    )
    .join('')}</tbody></table>
${warnings.length > 0 ? `<h2 class="warn">Permits more than before</h2>${list(warnings)}` : ''}
${changed.length > 0 ? `<h2>What changed</h2>${changed.map(section).join('\n')}` : ''}
${leftOut.length > 0 ? `<h2>Left out</h2>${list(leftOut.map(({ name, why }) => `${name}: ${why}`))}` : ''}
</body></html>
`;
}

function section({ tier, name, subject, directorId, attempt, differences }: Compared): string {
  const about = [tier, directorId ?? '', attempt === undefined ? '' : `attempt ${attempt}`, name].filter(
    (part) => part !== '',
  );
  return `<details><summary>${escape(subject || name)} <span class="name">${escape(about.join(' · '))}</span></summary><div>${sorted(
    differences,
  )
    .map(difference)
    .join('')}</div></details>`;
}

function difference({ kind, text, loosens, words }: Difference): string {
  const line = `<p${loosens === true ? ' class="warn"' : ''}><span class="kind">${kind}</span> ${escape(text)}</p>`;
  return words === undefined ? line : `${line}<pre>${words.map(word).join('')}</pre>`;
}

function word({ text, state }: WordChange): string {
  if (state === 'same') return escape(text);
  return state === 'added' ? `<ins>${escape(text)}</ins>` : `<del>${escape(text)}</del>`;
}

function list(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
