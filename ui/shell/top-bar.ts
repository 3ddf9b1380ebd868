import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { isPlaintext, type LiveState, liveState } from '../http/live.ts';
import { damagedRows } from '../http/request.ts';
import { Shown, visible } from '../widget/visible.ts';
import { paletteShown } from '../palette/palette.ts';
import { Icon } from '../widget/icon.ts';
import { fullTime } from '../widget/time.ts';
import { fetchNow, fetcher, fetcherLabel, toggleFetcher } from './fetcher.ts';
import { helpShown } from './help.ts';
import { mayDo, person, signOut } from './person.ts';
import { useKeys } from './keys.ts';
import { hrefOf, route } from './route.ts';
import { SCREENS } from './screens.ts';
import { toggleTheme } from './theme.ts';

const LIVE_LABELS: Readonly<Record<LiveState, string>> = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  paused: 'paused',
};

/** The tabs of the screens, the state of the stream and of the mail fetcher, and the buttons that every screen has. */
export function TopBar() {
  return html`<header class="top">
    <a class="brand" href=${hrefOf(SCREENS[0].route)}
      ><img src="/ui/mark.svg" alt="" width="18" height="18" /><span>Callsheet</span></a
    >
    <${Tabs} />
    <span class="space"></span>
    ${
      damagedRows.value.size > 0 &&
      html`<span
        class="chip bad"
        role="note"
        title=${visible(`Left out of the lists, because the store cannot read them: ${[...damagedRows.value].slice(0, 10).join(', ')}. The others are complete.`)}
        >${damagedRows.value.size} unreadable</span
      >`
    }
    ${
      isPlaintext.value &&
      html`<span
        class="chip wait plaintext"
        role="note"
        title="Mail and results are stored unencrypted. 'callsheet key make' prints a key for VX_MAILAGENT_KEY."
        >not encrypted</span
      >`
    }
    <${FetcherSwitch} />
    <button
      class="fetch for-admin"
      title="Fetch mail now (f)"
      aria-label="Fetch mail now"
      onClick=${() => void fetchNow()}
    >
      <${Icon} name="fetch" /><span>Fetch</span>
    </button>
    <span class=${`link ${liveState.value}`} role="status" aria-label=${`Connection: ${LIVE_LABELS[liveState.value]}`}
      ><span>${LIVE_LABELS[liveState.value]}</span></span
    >
    <button
      class="bare"
      aria-label="Find anything"
      title="Find a page, e-mail, run, director or command (Ctrl+K, ⌘K)"
      onClick=${() => (paletteShown.value = true)}
    >
      <${Icon} name="search" />
    </button>
    <button
      class="bare"
      aria-label="Switch theme"
      aria-keyshortcuts="D"
      title="Switch between dark and light (D)"
      onClick=${toggleTheme}
    >
      <${Icon} name="theme" />
    </button>
    <${Who} />
    <button
      class="bare keys-button"
      aria-label="Keyboard shortcuts"
      title="Keyboard shortcuts (?)"
      onClick=${() => (helpShown.value = true)}
    >
      <${Icon} name="help" />
    </button>
  </header>`;
}

/** A link for each screen, with its badge. */
function Tabs() {
  const tabs = useRef<HTMLElement>(null);
  const { screen: current } = route.value;
  const waiting = SCREENS.map(({ badge }) => (badge?.tone === 'wait' ? badge.count.value : '')).find((n) => n !== '');
  const counts = SCREENS.map(({ badge }) => badge?.count.value ?? '').join(' ');
  // The title and the icon show the count while the browser tab is in the background.
  useEffect(() => {
    document.title = waiting === undefined ? 'Callsheet' : `(${waiting}) Callsheet`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = waiting === undefined ? '/ui/mark.svg' : '/ui/mark-waiting.svg';
  }, [waiting]);
  useEffect(() => {
    // On a narrow screen not all tabs fit.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, counts]);
  return html`<nav ref=${tabs} aria-label="Screens">
    ${SCREENS.map(
      ({ route: name, title, icon, key, badge }) =>
        html`<a
          key=${name}
          href=${hrefOf(name)}
          title=${`${title} (g ${key})`}
          aria-current=${current === name ? 'page' : undefined}
        >
          <${Icon} name=${icon} /><span>${title}</span
          >${badge && badge.count.value !== '' && html`<span class=${`badge ${name} ${badge.tone}`}>${badge.count}</span>`}
        </a>`,
    )}
  </nav>`;
}

/** Who is signed in, and the way out. Nothing for a browser that came with the token of the server. */
function Who() {
  const { data } = person.state.value;
  useKeys({ 'g q': () => void (data?.email !== undefined && signOut()) });
  if (data === undefined || data.email === undefined) return null;
  const { name, email, role } = data;
  return html`<span class="who" title=${visible(`${email}, ${role}`)}><${Shown} text=${name} /></span>
    <button
      class="bare"
      aria-label="Sign out"
      title=${visible(`Sign out ${name}, ${email}, ${role} (g q)`)}
      onClick=${() => void signOut()}
    >
      <${Icon} name="exit" />
    </button>`;
}

/** Shows the state of the mail fetcher; a click starts or stops it. */
function FetcherSwitch() {
  const { data } = fetcher.state.value;
  const word = fetcherLabel(data);
  if (word === '') return null;
  const last = data?.lastCycle === undefined ? '' : `, last fetch at ${fullTime(data.lastCycle.startedAt)}`;
  return html`<button
    class=${`bare fetcher ${word}`}
    disabled=${!mayDo('admin')}
    aria-keyshortcuts="F"
    title=${`Mail fetcher: ${word}${last}. Click to ${data?.state === 'stopped' ? 'start' : 'stop'} it (F).`}
    onClick=${() => void toggleFetcher()}
  >
    fetcher ${word}
  </button>`;
}
