import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorOfThrown } from '../http/request.ts';
import { Icon } from '../widget/icon.ts';
import { Shown } from '../widget/visible.ts';
import { localEntries } from './entries.ts';
import { type Entry, matching, noteUse, recentKeys } from './entry.ts';
import { findEntries } from './find.ts';

/** Whether the command palette is open. */
export const paletteShown = signal(false);

/** The search on the server starts after this pause in typing. */
const TYPING_MS = 180;
/** Shorter texts match too many mails to be of use. */
const MIN_LENGTH = 2;

/** Opens the palette with Ctrl+K or ⌘K, also while somebody types, but not above another dialog. Returns a function that stops it. */
export function startPaletteKey(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
    // Browsers search the web with this key.
    event.preventDefault();
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
    if (dialog === null) paletteShown.value = true;
    else if (dialog.classList.contains('palette')) dialog.close();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** The command palette: pages, commands and directors at once, mails and runs as soon as the server has found them. */
export function Palette() {
  return paletteShown.value ? html`<${OpenPalette} />` : null;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const found = useFound(text.trim());
  const recent = useMemo(recentKeys, []);
  const rows = grouped([...matching(localEntries(), text, recent), ...found.entries], recent);
  const entries = rows.flatMap((row) => row.entries);
  const index = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  );
  const active = entries[index];
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.key]);

  const use = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    noteUse(entry.key);
    // Gives the focus back first: the entry may open a dialog or another page.
    dialog.current?.close();
    entry.run();
  };
  const moves: Readonly<Record<string, number>> = {
    ...{ ArrowDown: index + 1, ArrowUp: index - 1 },
    ...{ PageDown: Math.min(index + 8, entries.length - 1), PageUp: Math.max(index - 8, 0) },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moves[event.key];
    // Enter ends a word that is composed, as in Japanese.
    if (event.isComposing || (to === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (to === undefined) use(active);
    else setChosen(entries.at(to % Math.max(1, entries.length))?.key ?? '');
  };
  const onInput = ({ currentTarget }: InputEvent) => {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    setText(currentTarget.value);
    setChosen('');
  };
  return html`<dialog
    ref=${dialog}
    class="palette"
    aria-label="Command palette"
    onClose=${() => (paletteShown.value = false)}
    onClick=${(event: MouseEvent) => event.target === dialog.current && dialog.current?.close()}
  >
    <label class="palette-field">
      <${Icon} name="search" /><span class="sr">Find a page, e-mail, run, director or command</span>
      <input
        role="combobox"
        autofocus
        autocomplete="off"
        spellcheck=${false}
        placeholder="Page, e-mail, run, director or command"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls="palette-list"
        aria-activedescendant=${active === undefined ? undefined : idOf(active)}
        value=${text}
        onInput=${onInput}
        onKeyDown=${onKeyDown}
      />
      <kbd>Esc</kbd>
    </label>
    <div id="palette-list" class="palette-list" role="listbox" aria-label="Matches" tabindex="-1">
      ${rows.map(
        ({ title, entries: own }) =>
          html`<div key=${title} role="group" aria-label=${title}>
            <p class="palette-group" aria-hidden="true">${title}</p>
            ${own.map((entry) => html`<${Line} key=${entry.key} entry=${entry} isActive=${entry === active} use=${use} />`)}
          </div>`,
      )}
    </div>
    <p class=${found.error === undefined ? 'palette-state muted' : 'palette-state bad-text'} role="status">
      <${Shown} text=${stateOf(found, entries.length)} />
    </p>
  </dialog>`;
}

function stateOf({ isBusy, error }: Found, count: number): string {
  if (error !== undefined) return `E-mails and runs could not be searched: ${error}`;
  if (isBusy) return 'Searching e-mails and runs …';
  if (count === 0) return 'Nothing matches. Try a sender, a subject or the name of a page.';
  return `${count} ${count === 1 ? 'match' : 'matches'}`;
}

/** The recently used entries under a heading of their own, then each group. */
function grouped(entries: readonly Entry[], recent: readonly string[]) {
  const isRecent = ({ key }: Entry) => recent.includes(key);
  const titles = [...new Set(entries.map(({ group }) => group))];
  return [
    { title: 'Recently used', entries: entries.filter(isRecent) },
    ...titles.map((title) => ({
      title,
      entries: entries.filter((entry) => entry.group === title && !isRecent(entry)),
    })),
  ].filter((row) => row.entries.length > 0);
}

const idOf = ({ key }: Entry) => `palette-${key}`;

interface LineProps {
  readonly entry: Entry;
  readonly isActive: boolean;
  readonly use: (entry: Entry) => void;
}

function Line({ entry, isActive, use }: LineProps) {
  const { icon, label, detail, keys } = entry;
  return html`<div
    id=${idOf(entry)}
    class="palette-line"
    role="option"
    aria-selected=${isActive ? 'true' : 'false'}
    onClick=${() => use(entry)}
  >
    <${Icon} name=${icon} /><span class="label"><${Shown} text=${label} /></span>
    <span class="detail muted">${detail !== undefined && html`<${Shown} text=${detail} />`}</span>
    ${keys !== undefined && html`<span class="palette-keys">${keys.split(' ').map((key) => html`<kbd key=${key}>${key}</kbd>`)}</span>`}
  </div>`;
}

interface Found {
  readonly entries: readonly Entry[];
  readonly isBusy: boolean;
  readonly error?: string;
}

const NONE: Found = { entries: [], isBusy: false };

/** Mails and runs for a text. A newer text aborts the search of the older one. */
function useFound(text: string): Found {
  const [found, setFound] = useState<Found>(NONE);
  useEffect(() => {
    if (text.length < MIN_LENGTH) return setFound(NONE);
    const search = new AbortController();
    setFound((before) => ({ entries: before.entries, isBusy: true }));
    const start = async () => {
      try {
        const entries = await findEntries(text, search.signal);
        if (!search.signal.aborted) setFound({ entries, isBusy: false });
      } catch (thrown) {
        if (!search.signal.aborted) setFound({ ...NONE, error: errorOfThrown(thrown).message });
      }
    };
    const wait = setTimeout(() => void start(), TYPING_MS);
    return () => {
      clearTimeout(wait);
      search.abort();
    };
  }, [text]);
  return found;
}
