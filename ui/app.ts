import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { signedOut } from './http/request.ts';
import { HeldBar } from './approval/held-bar.ts';
import { startSendingHeld } from './approval/held.ts';
import { startSendingDeletes } from './mail/delete.ts';
import { Palette, startPaletteKey } from './palette/palette.ts';
import { startSendingReplies } from './reply/held.ts';
import { ReplyBar } from './reply/reply-bar.ts';
import { fetchNow } from './shell/fetcher.ts';
import { Help, helpShown } from './shell/help.ts';
import { startKeys, useKeys } from './shell/keys.ts';
import { startLoading } from './shell/later.ts';
import { go, route } from './shell/route.ts';
import { SCREENS } from './shell/screens.ts';
import { SignedOut } from './shell/signed-out.ts';
import { startSync } from './shell/sync.ts';
import { TopBar } from './shell/top-bar.ts';
import { startUnsavedGuard } from './shell/unsaved.ts';
import { Confirm } from './widget/confirm.ts';
import { startTicking } from './widget/time.ts';
import { Toasts } from './widget/toast.ts';
import { UndoKey } from './widget/undo.ts';

/** The whole page. While it is shown, it also runs the sync, the keys, the clock and the guard for unsaved text. */
export function App() {
  return signedOut.value ? html`<${SignedOut} />` : html`<${SignedIn} />`;
}

function SignedIn() {
  useEffect(() => {
    const stops = [
      startSync(),
      startKeys(),
      startPaletteKey(),
      startTicking(),
      startLoading(),
      startUnsavedGuard(),
      startSendingHeld(),
      startSendingReplies(),
      startSendingDeletes(),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  useKeys({
    ...Object.fromEntries(SCREENS.map((screen) => [`g ${screen.key}`, () => go(screen.route)])),
    'f': () => void fetchNow(),
    '?': () => (helpShown.value = true),
  });
  const { screen } = SCREENS.find((entry) => entry.route === route.value.screen) ?? SCREENS[0];
  return html`<${TopBar} />
    <main><${screen} /></main>
    <${HeldBar} /><${ReplyBar} /><${Toasts} /><${UndoKey} /><${Confirm} /><${Help} /><${Palette} />`;
}
