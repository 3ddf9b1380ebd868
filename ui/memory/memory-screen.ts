import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MemoryView } from '../http/api-types.ts';
import { withoutEmphasis } from '../item/plain-text.ts';
import { keyed, MAIN_KEY, nearKeyed, useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { useFocus } from '../widget/focus.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import {
  deleteMemory,
  forgotten,
  memories,
  memoryDrafts,
  refreshMemories,
  saveMemory,
  setDraft,
  showMemories,
  undoDelete,
} from './memories.ts';
import { Proposals } from './proposals.ts';

const SCOPES = [
  ['all', 'All'],
  ['global', 'Global'],
  ['shared', 'Shared'],
  ['local', 'Local'],
] as const;
/** The search starts after this pause in typing. */
const TYPING_MS = 250;
/** In the address where no memory is open. */
const NONE = '-';

/** What the address says: `#/memory/<scope>/<id or ->/<text>`. */
interface Place {
  readonly scope: string;
  readonly id: string;
  readonly text: string;
}

const idsOf = ({ scope, id, text }: Place) => [scope, id === '' ? NONE : id, ...(text === '' ? [] : [text])];

/** What directors and agents remember: search, scopes, edit, delete and undo. */
export function MemoryScreen() {
  const [scope = 'all', openId = NONE, text = ''] = route.value.ids;
  const place: Place = { scope, id: openId === NONE ? '' : openId, text };
  const field = useRef<HTMLInputElement>(null);
  const show = (change: Partial<Place>, options = {}) => go('memory', idsOf({ ...place, ...change }), options);
  const items = memories.items.value;
  const index = items.findIndex(({ id }) => id === place.id);
  const move = (step: number) => {
    const next = items[index < 0 ? 0 : Math.min(items.length - 1, Math.max(0, index + step))];
    if (next !== undefined) show({ id: next.id }, { replace: true });
  };
  useEffect(() => showMemories(scope === 'all' ? '' : scope, text), [scope, text]);
  const open = items[index];
  useKeys({
    'j': () => move(1),
    'k': () => move(-1),
    'u': () => show({ id: '' }),
    'r': refreshMemories,
    'z': () => void undoDelete(),
    '/': () => field.current?.focus(),
    'e': () => document.querySelector<HTMLElement>('.memory.open textarea')?.focus(),
    '#': () => open !== undefined && canChange(open) && void deleteMemory(open),
  });
  return html`<div class="page">
    <header class="spend-head">
      <h1>Memory</h1>
      <${Choice}
        label="Scope"
        nextKey="V"
        options=${SCOPES}
        value=${scope}
        onChoose=${(next: string) => show({ scope: next, id: '' })}
      />
    </header>
    <${Search}
      text=${text}
      field=${field}
      onSearch=${(next: string) => show({ text: next, id: '' }, { replace: true })}
    />
    <${Undo} /><${Proposals} />
    ${memories.error.value !== undefined && html`<${ErrorNotice} error=${memories.error.value} />`}
    ${items.length === 0 && memories.error.value === undefined && html`<${NoMemories} isFiltered=${text !== '' || scope !== 'all'} />`}
    <ul class="memories" aria-label="Memories">
      ${items.map(
        (memory) =>
          html`<${Row}
            key=${memory.id}
            memory=${memory}
            isOpen=${memory === open}
            href=${hrefOf('memory', ...idsOf({ ...place, id: memory === open ? '' : memory.id }))}
          />`,
      )}
    </ul>
    ${memories.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void memories.load({ more: true })}>Load more</button></div>`}
  </div>`;
}

/** A memory of a folder changes only with its file. */
function canChange({ folder }: MemoryView): boolean {
  return mayDo('admin') && folder === undefined;
}

interface SearchProps {
  readonly text: string;
  readonly field: { readonly current: HTMLInputElement | null };
  readonly onSearch: (text: string) => void;
}

function Search({ text, field, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(text);
  // Back changes the text without typing.
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    const wait = setTimeout(() => typed.trim() !== text && onSearch(typed.trim()), TYPING_MS);
    return () => clearTimeout(wait);
  }, [typed]);
  return html`<label class="search">
    <${Icon} name="search" /><span class="sr">Search memories</span>
    <input
      ref=${field}
      type="search"
      placeholder="Search (/)"
      value=${typed}
      onInput=${({ currentTarget }: InputEvent) => currentTarget instanceof HTMLInputElement && setTyped(currentTarget.value)}
    />
  </label>`;
}

/** Offers to restore what was deleted last. */
function Undo() {
  const last = forgotten.value.at(-1);
  return html`<div role="status">
    ${
      last !== undefined &&
      html`<div class="notice memory-undo">
        <span>Deleted: <${Shown} text=${last.content.slice(0, 80)} /></span>
        <button title="Undo (z)" onClick=${() => void undoDelete()}>Undo</button>
      </div>`
    }
  </div>`;
}

function NoMemories({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered
    ? html`<${Empty} icon="search" title="No memory matches." />`
    : html`<${Empty} icon="memory" title="No memories yet.">
        <p>What directors and agents remember with <code>memory_add</code> appears here.</p>
      <//>`;
}

function Row({ memory, isOpen, href }: { memory: MemoryView; isOpen: boolean; href: string }) {
  const { content, scope, directorId, agentId, owner, tags, trust, updatedAt, folder } = memory;
  const readers = [directorId, agentId].filter((id) => id !== '').join(', ');
  return html`<li class=${isOpen ? 'memory open' : 'memory'}>
    <a class="memory-text" href=${href} aria-expanded=${isOpen ? 'true' : 'false'} title="Open or close (j, k, u)"
      ><${Shown} text=${withoutEmphasis(content)}
    /></a>
    <div class="row">
      <span class="chip quiet" title="Who can read it"
        >${scope}${readers !== '' && ': '}<${Shown} text=${readers}
      /></span>
      ${trust === 'untrusted' && html`<span class="chip wait" title="Its text may come from a mail">untrusted</span>`}
      ${folder !== undefined && html`<span class="chip quiet" title="It changes only with its file">in a file</span>`}
      ${tags.map((tag) => html`<span key=${tag} class="chip quiet">#<${Shown} text=${tag} /></span>`)}
      <span class="muted">by <${Shown} text=${owner} /></span><${Age} at=${updatedAt} />
    </div>
    ${isOpen && html`<${Open} memory=${memory} />`}
  </li>`;
}

/** Where a memory comes from, and the form that changes it. */
function Open({ memory }: { memory: MemoryView }) {
  const { id, content, provenance, revision } = memory;
  const draft = memoryDrafts.value.get(id);
  const field = useFocus<HTMLTextAreaElement>(draft !== undefined);
  const isChanged = draft !== undefined && draft.text.trim() !== '' && draft.text !== content;
  const save = () => isChanged && void saveMemory(id, draft);
  const edit = (text: string) => setDraft(id, { text, base: draft?.base ?? revision });
  const { runId, emailId } = provenance.at(-1) ?? {};
  return html`<div class="memory-form">
    ${
      canChange(memory) &&
      html`<label class="field"
          ><span>Text</span
          ><textarea
            ref=${field}
            rows="3"
            value=${visible(draft?.text ?? content)}
            onInput=${({ currentTarget }: InputEvent) => currentTarget instanceof HTMLTextAreaElement && edit(currentTarget.value)}
            onKeyDown=${(event: KeyboardEvent) => {
              // The text stays as a draft.
              if (event.key === 'Escape') field.current?.blur();
            }}
          ></textarea>
        </label>
        <div class="row">
          <button ...${keyed(MAIN_KEY, 'Save')} class="primary" disabled=${!isChanged} onClick=${save}>Save</button>
          ${draft !== undefined && html`<button ...${nearKeyed('Q', 'Discard changes')} onClick=${() => setDraft(id, undefined)}>Discard changes</button>`}
          <button class="danger" title="Delete (#)" onClick=${() => void deleteMemory(memory)}>
            <${Icon} name="trash" />Delete
          </button>
        </div>`
    }
    <p class="muted">
      Written by ${provenance.map(({ writtenBy, actorId }) => actorId ?? writtenBy).join(', ')}.
      ${runId !== undefined && html`${' '}<a href=${hrefOf('runs', runId)}>Open run</a>`}
      ${emailId !== undefined && html`${' '}<a href=${hrefOf('inbox', emailId)}>Open e-mail</a>`}
    </p>
  </div>`;
}
