import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { ApprovalsScreen } from './approval/approvals-screen.ts';
import { ConfigScreen } from './config/config-screen.ts';
import { DiagnosticsScreen } from './diagnostics/diagnostics-screen.ts';
import { signedOut } from './http/request.ts';
import { startSync } from './http/sync.ts';
import { ResultsScreen } from './mail/results-screen.ts';
import { RunsScreen } from './run/runs-screen.ts';
import { fetchNow } from './shell/fetcher.ts';
import { Help, helpShown } from './shell/help.ts';
import { startKeys, useKeys } from './shell/keys.ts';
import { go, route } from './shell/route.ts';
import { TopBar } from './shell/top-bar.ts';
import { startUnsavedGuard } from './shell/unsaved.ts';
import { TodosScreen } from './todo/todos-screen.ts';
import { Confirm } from './widget/confirm.ts';
import { startTicking } from './widget/time.ts';
import { Toasts } from './widget/toast.ts';

const SCREENS = {
  results: ResultsScreen,
  runs: RunsScreen,
  diagnostics: DiagnosticsScreen,
  approvals: ApprovalsScreen,
  todos: TodosScreen,
  config: ConfigScreen,
} as const;

/** The whole page. It starts what runs beside it (sync, keys, clock) and stops it when it goes. */
export function App() {
  return signedOut.value ? html`<${SignedOut} />` : html`<${Desk} />`;
}

function Desk() {
  useEffect(() => {
    const stops = [startSync(), startKeys(), startTicking(), startUnsavedGuard()];
    return () => stops.forEach((stop) => stop());
  }, []);
  useKeys({
    'g r': () => go('results'),
    'g u': () => go('runs'),
    'g d': () => go('diagnostics'),
    'g a': () => go('approvals'),
    'g t': () => go('todos'),
    'g c': () => go('config'),
    'f': () => void fetchNow(),
    '?': () => (helpShown.value = true),
  });
  return html`<${TopBar} />
    <main><${SCREENS[route.value.screen]} /></main>
    <${Toasts} /><${Confirm} /><${Help} />`;
}

/** All that somebody without a session sees. */
function SignedOut() {
  return html`<main class="plain">
    <h1>Callsheet does not know this browser yet</h1>
    <p>
      Open the address that <code>callsheet start</code> prints in its terminal. It carries the token that signs you in.
    </p>
    <p><button onClick=${() => location.reload()}>Try again</button></p>
  </main>`;
}
