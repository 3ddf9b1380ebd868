import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { CalendarPreview } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

interface Props {
  /** API address of the events of the file. */
  readonly url: string;
  /** Shown below the error when the API cannot read the file. */
  readonly children?: ComponentChildren;
}

/** A calendar file as one card per event, all in plain text. */
export function Events({ url, children }: Props) {
  const [preview] = useState(() => createResource((key, signal) => request<CalendarPreview>('GET', key, { signal })));
  useEffect(() => preview.show(url), [url]);
  const { key, data, error } = preview.state.value;
  if (key !== url || (data === undefined && error === undefined)) return null;
  if (data === undefined)
    return html`<div class="events"><${ErrorNotice} error=${error} /></div>
      ${children}`;
  return html`<div class="events">
    ${data.events.map((event, i) => html`<${EventCard} key=${i} event=${event} />`)}
    ${data.events.length === 0 && html`<p class="muted">The file contains no events.</p>`}
    ${data.truncated === true && html`<p class="muted">The file contains more events.</p>`}
    ${data.skipped?.map((reason, i) => html`<p key=${i} class="muted">${reason}</p>`)}
  </div>`;
}

function EventCard({ event }: { event: CalendarPreview['events'][number] }) {
  const { title, location, description } = event;
  return html`<article class="calendar-event">
    <header>
      <h2><${Shown} text=${title || '(no title)'} /></h2>
      ${event.cancelled === true && html`<span class="chip bad">cancelled</span>`}
      ${event.repeats === true && html`<span class="chip quiet">repeats</span>`}
      ${event.busy === false && html`<span class="chip quiet">shown as free</span>`}
    </header>
    <p><${Icon} name="clock" />${when(event)}</p>
    ${location !== undefined && html`<p class="where"><${Shown} text=${location} /></p>`}
    ${description !== undefined && html`<p class="words"><${Shown} text=${description} /></p>`}
  </article>`;
}

/** Start and end in the browser's time zone. Whole days have no time zone, and `end` is the last day. */
function when({ start, end, allDay }: CalendarPreview['events'][number]): string {
  const style = allDay === true ? DAY : TIME;
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (Number.isNaN(from)) return start;
  return Number.isNaN(to) || to < from ? style.format(from) : style.formatRange(from, to);
}
