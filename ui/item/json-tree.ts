import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { isRecord } from '../http/json.ts';
import { Icon } from '../widget/icon.ts';
import { Marks } from '../widget/visible.ts';
import { keyed } from '../shell/keys.ts';

/** Members of one object or list that are shown at once; more on a click. */
const PART = 200;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;
/** Longest text that is shown in the tree; the source has all of it. */
const MAX_TEXT = 2000;

/** A JSON value as a tree, whose closed branches are not built. */
export function JsonTree({ value }: { value: unknown }) {
  return html`<div class="json"><${Node} name=${undefined} value=${value} level=${0} /></div>`;
}

interface Props {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly level: number;
}

function Node({ name, value, level }: Props) {
  const key = name !== undefined && html`<span class="json-key"><${Marks} text=${name} /></span>: `;
  const members = Array.isArray(value)
    ? value.map((member, i) => [String(i), member] as const)
    : isRecord(value)
      ? Object.entries(value)
      : undefined;
  if (members === undefined) return html`<div class="json-leaf">${key}<${Leaf} value=${value} /></div>`;
  return html`<${Branch} head=${key} members=${members} isList=${Array.isArray(value)} level=${level} />`;
}

interface BranchProps {
  readonly head: unknown;
  readonly members: readonly (readonly [string, unknown])[];
  readonly isList: boolean;
  readonly level: number;
}

function Branch({ head, members, isList, level }: BranchProps) {
  const [isOpen, setIsOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(PART);
  const size = `${members.length} ${isList ? (members.length === 1 ? 'entry' : 'entries') : members.length === 1 ? 'key' : 'keys'}`;
  return html`<details
    open=${isOpen}
    onToggle=${(e: Event) => e.target === e.currentTarget && e.target instanceof HTMLDetailsElement && setIsOpen(e.target.open)}
  >
    <summary>
      <${Icon} name="chevron" className="turn" />${head}<span class="muted"
        >${isList ? '[' : '{'} ${size} ${isList ? ']' : '}'}</span
      >
    </summary>
    ${isOpen && members.slice(0, shown).map(([name, value]) => html`<${Node} key=${name} name=${name} value=${value} level=${level + 1} />`)}
    ${isOpen && members.length > shown && html`<button ...${keyed('L', 'Show more')} class="bare" onClick=${() => setShown(shown + PART)}>Show ${Math.min(PART, members.length - shown)} more</button>`}
  </details>`;
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value !== 'string') return html`<span class="json-plain">${String(value)}</span>`;
  const isCut = value.length > MAX_TEXT;
  return html`<span class="json-text">"<${Marks} text=${isCut ? value.slice(0, MAX_TEXT) : value} />"</span
    >${isCut && html`<span class="muted"> cut, see Source</span>`}`;
}
