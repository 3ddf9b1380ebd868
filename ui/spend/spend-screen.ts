import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { RunCost, SpendState } from '../http/api-types.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { short } from '../widget/number.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Shown, visible } from '../widget/visible.ts';
import { Bar, Chart } from './chart.ts';
import { daysUntil, empty, KEYS, loadRunsOf, money, runsOfDay, spend, type Total, totals, whoOf } from './spend.ts';

const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;
const BY = [
  ['day', 'Day'],
  ['who', 'Director or agent'],
  ['api', 'API'],
] as const;
const MEASURES = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
  ['runs', 'Runs'],
] as const;

type By = (typeof BY)[number][0];
type Measure = (typeof MEASURES)[number][0];

/** What the address says: `#/spend/<days>/<by>/<measure>/<day>`. */
interface Place {
  readonly days: string;
  readonly by: By;
  readonly measure: Measure;
  readonly day: string;
}

const valueOf: Readonly<Record<Measure, (total: Total) => number>> = {
  cost: ({ cost }) => cost,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  runs: ({ runs }) => runs,
};

function readPlace([days = '', by = '', measure = '', day = '']: readonly string[]): Place {
  const known = <T extends string>(options: readonly (readonly [T, string])[], text: string, other: T): T =>
    options.find(([value]) => value === text)?.[0] ?? other;
  return {
    days: known(PERIODS, days, '30'),
    by: known(BY, by, 'day'),
    measure: known(MEASURES, measure, 'cost'),
    day: /^\d{4}-\d\d-\d\d$/.test(day) ? day : '',
  };
}

/** What models have cost: a chart by day, the same figures as a table, the budget of a day, and the runs of a day. */
export function SpendScreen() {
  const place = readPlace(route.value.ids);
  const { days, by, measure, day } = place;
  const open = (change: Partial<Place>) => {
    const next = { ...place, ...change };
    go('spend', [next.days, next.by, next.measure, ...(next.day === '' ? [] : [next.day])]);
  };
  const { data, error } = spend.state.value;
  useEffect(() => spend.reload(days), [days]);
  useEffect(() => {
    if (day !== '') loadRunsOf(day);
  }, [day]);
  const used = data?.items.map((line) => line.day) ?? [];
  const step = (by: number) => {
    const known = [...new Set(used)];
    const from = known.indexOf(day);
    const next = from < 0 ? known[0] : known[from + by];
    if (next !== undefined) open({ day: next });
  };
  const after = <T extends string>(options: readonly (readonly [T, string])[], value: T): T =>
    (options[(options.findIndex(([one]) => one === value) + 1) % options.length] ?? options[0]!)[0];
  useKeys({
    r: () => {
      spend.refresh();
      if (day !== '') loadRunsOf(day);
    },
    j: () => step(1),
    k: () => step(-1),
    u: () => open({ day: '' }),
    p: () => open({ days: after(PERIODS, days) }),
    b: () => open({ by: after(BY, by) }),
    v: () => open({ measure: after(MEASURES, measure) }),
  });
  return html`<div class="page spend">
    <header class="spend-head">
      <h1>Spend</h1>
      <div title="Next period (p)">
        <${Choice}
          label="Period"
          nextKey="p"
          options=${PERIODS}
          value=${days}
          onChoose=${(next: string) => open({ days: next })}
        />
      </div>
      <div title="Next measure of the chart (v)">
        <${Choice}
          label="Chart"
          nextKey="v"
          options=${MEASURES}
          value=${measure}
          onChoose=${(next: Measure) => open({ measure: next })}
        />
      </div>
    </header>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${data !== undefined && html`<${Figures} data=${data} place=${place} open=${open} />`}
  </div>`;
}

interface FiguresProps {
  readonly data: SpendState;
  readonly place: Place;
  readonly open: (change: Partial<Place>) => void;
}

function Figures({ data, place, open }: FiguresProps) {
  const { days, by, measure, day } = place;
  const value = valueOf[measure];
  const { maxCostPerDay, maxTokensPerDay } = data.budget;
  const [sum = empty('')] = totals(data.items, () => '');
  const byDay = new Map(totals(data.items, KEYS.day).map((total) => [total.key, total]));
  if (data.items.length === 0)
    return html`<${Budget} data=${data} today=${empty('')} />
      <${Empty} icon="coin" title=${`No costs in the last ${days} days.`}>
        <p>The costs of a run appear here when it ends. Days are UTC days.</p>
      <//>`;
  const columns = daysUntil(data.today, Number(days)).map((key) => {
    const total = byDay.get(key) ?? empty(key);
    return { key, value: value(total), title: `${key}: ${textOf(measure, total)}` };
  });
  const most = Math.max(...columns.map((column) => column.value));
  const top = measure === 'cost' ? money({ cost: most }) : short(most);
  const limit = { cost: maxCostPerDay, tokens: maxTokensPerDay, runs: undefined }[measure];
  return html`<dl class="spend-sums">
      <div>
        <dt>Cost</dt>
        <dd>${money(sum)}</dd>
      </div>
      <div>
        <dt>Runs</dt>
        <dd>${short(sum.runs)}</dd>
      </div>
      <div>
        <dt>Tokens read</dt>
        <dd>${short(sum.inputTokens)}</dd>
      </div>
      <div>
        <dt>Tokens written</dt>
        <dd>${short(sum.outputTokens)}</dd>
      </div>
    </dl>
    <${Budget} data=${data} today=${byDay.get(data.today) ?? empty('')} />
    ${
      most === 0
        ? html`<p class="spend-none muted">
            ${measure === 'cost' ? 'These runs cost nothing, or their price is unknown.' : `No ${measure} in these days.`}
            ${' '}The other charts may have figures (v).
          </p>`
        : html`<${Chart}
            columns=${columns}
            selected=${day}
            limit=${limit}
            top=${`highest: ${top}`}
            onChoose=${(key: string) => byDay.has(key) && open({ day: key })}
          />`
    }
    ${day !== '' && html`<${RunsOfDay} day=${day} close=${() => open({ day: '' })} />`}
    <div class="spend-by" title="Next table (b)">
      <${Choice} label="Table" nextKey="b" options=${BY} value=${by} onChoose=${(next: By) => open({ by: next })} />
    </div>
    <${Table} rows=${totals(data.items, KEYS[by], by === 'who' ? whoOf : undefined)} place=${place} />`;
}

function textOf(measure: Measure, total: Total): string {
  if (measure === 'cost') return money(total);
  return `${valueOf[measure](total).toLocaleString('en')} ${measure}`;
}

/** The limits of a day and what today has used of them. */
function Budget({ data, today }: { data: SpendState; today: Total }) {
  const { maxCostPerDay, maxTokensPerDay } = data.budget;
  const limits = [
    ...(maxCostPerDay === undefined ? [] : [`${money(today)} of ${money({ cost: maxCostPerDay })}`]),
    ...(maxTokensPerDay === undefined ? [] : [`${short(valueOf.tokens(today))} of ${short(maxTokensPerDay)} tokens`]),
  ];
  return html`<p class="spend-budget muted">
    ${
      limits.length === 0
        ? html`No limit for a day is set. <code>budget</code> in the settings has <code>maxCostPerDay</code> and${' '}
            <code>maxTokensPerDay</code>.`
        : html`Ended runs of today: <b>${limits.join(', ')}</b>. Runs wait when a limit is reached.`
    }
  </p>`;
}

function Table({ rows, place }: { rows: readonly Total[]; place: Place }) {
  const { by, measure, days, day } = place;
  const value = valueOf[measure];
  const most = Math.max(...rows.map(value));
  const shown = by === 'day' ? rows : rows.toSorted((a, b) => value(b) - value(a));
  return html`<div class="spend-scroll" role="region" aria-label="Figures" tabindex="0">
    <table class="spend-table">
      <thead>
        <tr>
          <th scope="col">${BY.find(([one]) => one === by)?.[1]}</th>
          ${['Cost', 'Runs', 'Requests', 'Read', 'Written'].map((title) => html`<th key=${title} scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (row) =>
            html`<tr key=${row.key} class=${by === 'day' && row.key === day ? 'selected' : undefined}>
              <th scope="row">
                ${
                  by === 'day'
                    ? html`<a
                        href=${hrefOf('spend', days, by, measure, row.key)}
                        aria-current=${row.key === day ? 'true' : undefined}
                        title=${`Runs of ${row.key} (j, k)`}
                        >${row.key}</a
                      >`
                    : html`<${Shown} text=${row.label} />`
                }
                <${Bar} value=${value(row)} most=${most} />
              </th>
              <td>${money(row)}</td>
              ${[row.runs, row.turns, row.inputTokens, row.outputTokens].map(
                (count, i) => html`<td key=${i} title=${count.toLocaleString('en')}>${short(count)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The runs that ended on a day, each with a link. */
function RunsOfDay({ day, close }: { day: string; close: () => void }) {
  const { items, error, nextCursor } = runsOfDay;
  return html`<section class="spend-runs" aria-labelledby="spend-runs">
    <header class="row">
      <h2 id="spend-runs">Runs of ${day}</h2>
      <button class="bare" title="Close (u)" onClick=${close}>Close</button>
    </header>
    ${error.value !== undefined && html`<${ErrorNotice} error=${error.value} />`}
    <ul>
      ${items.value.map(
        (run: RunCost) =>
          html`<li key=${run.runId}>
            <a href=${hrefOf('runs', run.runId)} title=${visible(run.runId)}><${Shown} text=${whoOf(run)} /></a>
            <span class="muted">${short(run.inputTokens + run.outputTokens)} tokens</span>
            <span>${money({ cost: run.cost ?? 0, isPartly: run.cost === null })}</span>
          </li>`,
      )}
    </ul>
    ${nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void runsOfDay.load({ more: true })}>Load more</button></div>`}
  </section>`;
}
