import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../http/request.ts';
import type { MailEntry, Page } from '../../http/api-types.ts';
import { mails } from '../../mail/mails.ts';
import { visible } from '../../widget/visible.ts';

interface Props {
  readonly label: string;
  /** Text of the choice of no mail. */
  readonly none: string;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

/** Chooses one of the stored mails: the newest, or those that a search finds. */
export function MailChoice({ label, none, value, onChoose }: Props) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<readonly MailEntry[] | undefined>(undefined);
  useEffect(() => {
    if (query.trim() === '') return setFound(undefined);
    const gone = new AbortController();
    const url = `/api/emails?${new URLSearchParams({ limit: '20', q: query.trim() })}`;
    request<Page<MailEntry>>('GET', url, { signal: gone.signal }).then(
      ({ items }) => setFound(items),
      () => undefined,
    );
    return () => gone.abort();
  }, [query]);
  const listed = found ?? mails.value.slice(0, 50);
  const isListed = value === '' || listed.some(({ id }) => id === value);
  const all = isListed ? listed : [...mails.value.filter(({ id }) => id === value), ...listed];
  return html`<span class="mail-choice row">
    <label class="row"
      >${label}
      <select onChange=${(event: Event) => event.target instanceof HTMLSelectElement && onChoose(event.target.value)}>
        <option value="" selected=${value === ''}>${none}</option>
        ${all.map(({ id, subject }) => html`<option key=${id} value=${id} selected=${id === value}>${visible(subject) || '(no subject)'}</option>`)}
      </select></label
    >
    <input
      type="search"
      value=${query}
      aria-label="Search e-mails to choose from"
      placeholder="Search e-mails"
      onInput=${(event: Event) => event.target instanceof HTMLInputElement && setQuery(event.target.value)}
    />
  </span>`;
}
