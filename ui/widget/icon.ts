import { html } from 'htm/preact';

/** An icon of the sprite. Hidden from screen readers: the text beside it has the meaning. */
export function Icon({ name, className = '' }: { name: string; className?: string }) {
  return html`<svg class=${`icon ${className}`} aria-hidden="true"><use href=${`/ui/icons.svg#${name}`} /></svg>`;
}

/** Name of the icon for a MIME type. */
export function mimeIcon(mimeType: string | undefined): string {
  if (mimeType === undefined || mimeType.startsWith('text/html')) return 'code';
  if (mimeType.startsWith('text/calendar')) return 'clock';
  if (mimeType.startsWith('text/')) return 'text';
  if (mimeType.startsWith('image/')) return 'image';
  return /\bjson\b/.test(mimeType) ? 'code' : 'file';
}
