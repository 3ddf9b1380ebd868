import { html } from 'htm/preact';
import type { ObjectiveView } from '../http/api-types.ts';
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

/** The story of an objective by day, oldest first. */
export function Story({ history }: Pick<ObjectiveView, 'history'>) {
  const days = Map.groupBy(history, ({ at }) => dayOf(at));
  return html`<section>
    <h2>Story</h2>
    ${[...days].map(
      ([day, lines]) =>
        html`<div key=${day} class="story-day">
          <h3>${day}</h3>
          <ol class="story">
            ${lines.map(
              ({ at, kind, text }, i) =>
                html`<li key=${i} class=${kind}>
                  <${Icon} name=${ICONS[kind]} />
                  <time datetime=${at} title=${fullTime(at)}>${clockOf(at)}</time>
                  <span class="words"><${Shown} text=${text} /></span>
                </li>`,
            )}
          </ol>
        </div>`,
    )}
  </section>`;
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
