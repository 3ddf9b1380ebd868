import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import type { Participant } from '../http/api-types.ts';
import { visible } from '../widget/visible.ts';

/** The style that sets the colour of a participant for `.who-color` elements; nothing where it is no colour. */
export function colorStyle(colorHex: string | undefined): Readonly<Record<string, string>> {
  return colorHex !== undefined && /^#[0-9a-f]{6}$/i.test(colorHex) ? { '--who': colorHex } : {};
}

/** The first letters of a name: `JD` for Jane Doe. */
export function initials(name: string): string {
  const words = visible(name)
    .split(/[\s_-]+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return (
    letters
      .map((word) => Array.from(word ?? '')[0] ?? '')
      .join('')
      .toUpperCase() || '?'
  );
}

/** A round mark with the initials, in the colour of the participant. The name stands beside it. */
export function Avatar({ name, colorHex }: { readonly name: string; readonly colorHex?: string | undefined }) {
  return html`<span class="avatar who-color" style=${colorStyle(colorHex)} aria-hidden="true">${initials(name)}</span>`;
}

/** What speaks for a participant, for people. */
export function kindOf({ type, apiConfigId, agentId }: Participant): string {
  if (type === 'agent') return `agent ${agentId ?? ''}`.trim();
  if (type === 'api') return `API ${apiConfigId ?? ''}`.trim();
  return `${TOOLS[type]}${apiConfigId === undefined || apiConfigId === type ? '' : ` (${apiConfigId})`}`;
}

const TOOLS: Readonly<Record<Exclude<Participant['type'], 'api' | 'agent'>, string>> = {
  codex: 'Codex',
  claude: 'Claude Code',
  gemini: 'Gemini CLI',
  cli: 'own command',
};

/** A part of the page in the colour of a participant. */
export function Colored({
  colorHex,
  className,
  children,
}: {
  readonly colorHex: string | undefined;
  readonly className: string;
  readonly children: ComponentChildren;
}) {
  return html`<div class=${`who-color ${className}`} style=${colorStyle(colorHex)}>${children}</div>`;
}
