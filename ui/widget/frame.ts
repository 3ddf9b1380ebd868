import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { withKey } from '../http/page-key.ts';

/**
 * Shows untrusted HTML from an API route that sends its own CSP: no scripts, nothing remote, links open in a new tab.
 * The sandboxed frame has no origin, so it cannot reach the page.
 */
export function SafeFrame({ src, title }: { src: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // A focused frame receives all keys. When it is removed, the page must receive them again.
  useEffect(() => () => frame.current?.blur(), []);
  return html`<iframe
    ref=${frame}
    key=${src}
    class="frame"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    referrerpolicy="no-referrer"
    title=${title}
    src=${withKey(src)}
  ></iframe>`;
}
