import { html } from 'htm/preact';

/** One stroke drawing of the sprite, without a meaning of its own for screen readers: the text beside it says it. */
export function Icon({ name, className = '' }: { name: string; className?: string }) {
  return html`<svg class=${`icon ${className}`} aria-hidden="true"><use href=${`/ui/icons.svg#${name}`} /></svg>`;
}

/** The drawing for a MIME type. */
export function mimeIcon(mimeType: string | undefined): string {
  if (mimeType === undefined || mimeType.startsWith('text/html')) return 'code';
  if (mimeType.startsWith('text/calendar')) return 'clock';
  if (mimeType.startsWith('text/')) return 'text';
  if (mimeType.startsWith('image/')) return 'image';
  return /\bjson\b/.test(mimeType) ? 'code' : 'file';
}
