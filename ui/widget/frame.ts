import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Shows untrusted HTML from a route of the API that sends its own policy: no scripts, nothing remote, and links open in
 * a new tab. The frame has no origin of its own to reach us with.
 */
export function SafeFrame({ src, title }: { src: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // A focused frame swallows every key; when it goes away the page must hear them again.
  useEffect(() => () => frame.current?.blur(), []);
  return html`<iframe
    ref=${frame}
    key=${src}
    class="frame"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    referrerpolicy="no-referrer"
    title=${title}
    src=${src}
  ></iframe>`;
}
