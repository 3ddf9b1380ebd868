import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { approvals, approvalsCursor } from '../approval/approvals.ts';
import { errorCount } from '../config/config.ts';
import { isPlaintext, type LiveState, liveState } from '../http/live.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { fetchNow, fetcher, fetcherWord, toggleFetcher } from './fetcher.ts';
import { helpShown } from './help.ts';
import { type Screen, hrefOf, route } from './route.ts';
import { toggleTheme } from './theme.ts';

const TABS: readonly (readonly [screen: Screen, word: string])[] = [
  ['results', 'Results'],
  ['runs', 'Runs'],
  ['diagnostics', 'Diagnostics'],
  ['approvals', 'Approvals'],
  ['todos', 'To-dos'],
  ['config', 'Config'],
];
const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  paused: 'paused',
};

/** Screens with what calls for attention, the state of the link and the fetcher, and what holds everywhere. */
export function TopBar() {
  const badges: Readonly<Record<Screen, string>> = {
    results: '',
    runs: '',
    diagnostics: '',
    approvals:
      approvals.value.length === 0 ? '' : `${approvals.value.length}${approvalsCursor.value === null ? '' : '+'}`,
    todos: '',
    config: errorCount.value === 0 ? '' : String(errorCount.value),
  };
  // A tab in the background shows that somebody is waited for.
  useEffect(() => {
    document.title = badges.approvals === '' ? 'Callsheet' : `(${badges.approvals}) Callsheet`;
  }, [badges.approvals]);
  const tabs = useRef<HTMLElement>(null);
  const { screen: current } = route.value;
  useEffect(() => {
    // On a narrow screen not all of them fit.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, badges.approvals, badges.config]);
  const { data } = fetcher.state.value;
  const word = fetcherWord(data);
  const last = data?.lastCycle === undefined ? '' : `, last at ${fullTime(data.lastCycle.startedAt)}`;
  return html`<header class="top">
    <a class="brand" href=${hrefOf('results')}
      ><img src="/ui/mark.svg" alt="" width="18" height="18" /><span>Callsheet</span></a
    >
    <nav ref=${tabs} aria-label="Screens">
      ${TABS.map(
        ([screen, name]) =>
          html`<a key=${screen} href=${hrefOf(screen)} aria-current=${current === screen ? 'page' : undefined}>
            ${name}${badges[screen] !== '' && html`<span class=${`badge ${screen}`}>${badges[screen]}</span>`}
          </a>`,
      )}
    </nav>
    <span class="space"></span>
    ${
      isPlaintext.value &&
      html`<span
        class="chip wait plaintext"
        role="note"
        title="Mail and results lie on the disk in plain text. callsheet key make prints a key for VX_MAILAGENT_KEY."
        >not encrypted</span
      >`
    }
    ${
      word !== '' &&
      html`<button
        class="bare fetcher"
        title=${`Mail fetcher: ${word}${last}. Click to ${data?.state === 'stopped' ? 'start' : 'stop'} it.`}
        onClick=${() => void toggleFetcher()}
      >
        fetcher ${word}
      </button>`
    }
    <button class="fetch" title="Fetch mail now  f" aria-label="Fetch mail now" onClick=${() => void fetchNow()}>
      <${Icon} name="fetch" /><span>Fetch</span>
    </button>
    <span class=${`link ${liveState.value}`} role="status" aria-label=${`Connection: ${LIVE_WORDS[liveState.value]}`}
      >${LIVE_WORDS[liveState.value]}</span
    >
    <button class="bare" aria-label="Dark or light" title="Dark or light" onClick=${toggleTheme}>
      <${Icon} name="theme" />
    </button>
    <button class="bare keys-button" aria-label="Keys" title="Keys  ?" onClick=${() => (helpShown.value = true)}>
      <${Icon} name="help" />
    </button>
  </header>`;
}
