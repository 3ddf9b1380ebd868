import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ObjectiveView } from '../http/api-types.ts';
import { keyed } from '../shell/keys.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';

type Line = ObjectiveView['history'][number];

const ICONS: Readonly<Record<Line['kind'], string>> = {
  begin: 'flag',
  intake: 'text',
  action: 'director',
  wake: 'bell',
  order: 'pause',
  end: 'check',
};

/** Of a longer story only the first line and the newest ones are shown at first: the page is about what happens now. */
const NEWEST = 30;

/** The story of an objective by day, oldest first. */
export function Story({ history, droppedLines = 0 }: Pick<ObjectiveView, 'history' | 'droppedLines'>) {
  const [isWhole, setIsWhole] = useState(false);
  const hidden = isWhole || history.length <= NEWEST + 10 ? 0 : history.length - NEWEST - 1;
  const showAll = () => setIsWhole(true);
  return html`<section>
    <h2>Story</h2>
    <${Days} lines=${history.slice(0, 1)} />
    ${
      droppedLines > 0 &&
      html`<p class="muted story-gap">
        ${droppedLines} more ${droppedLines === 1 ? 'line is' : 'lines are'} not kept here: the transcript of the run
        has them.
      </p>`
    }
    ${
      hidden > 0 &&
      html`<p class="story-gap">
        <button ...${keyed('A', 'Show the whole story')} onClick=${showAll}>
          <${Icon} name="list" />Show ${hidden} earlier lines
        </button>
      </p>`
    }
    <${Days} lines=${history.slice(1 + hidden)} />
  </section>`;
}

function Days({ lines }: { lines: readonly Line[] }) {
  const days = Map.groupBy(lines, ({ at }) => dayOf(at));
  return [...days].map(
    ([day, ofDay]) =>
      html`<div key=${day} class="story-day">
        <h3>${day}</h3>
        <ol class="story">
          ${ofDay.map(
            ({ at, kind, text }, i) =>
              html`<li key=${i} class=${kind}>
                <${Icon} name=${ICONS[kind]} />
                <time datetime=${at} title=${fullTime(at)}>${clockOf(at)}</time>
                <span class="words"><${Shown} text=${text} /></span>
              </li>`,
          )}
        </ol>
      </div>`,
  );
}

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

function clockOf(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}
