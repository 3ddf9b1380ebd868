import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../../widget/icon.ts';
import { Shown } from '../../widget/visible.ts';
import { Avatar } from '../who.ts';
import type { Choices } from './choices.ts';
import { canRoam, type ParticipantDraft } from './participant-draft.ts';
import { ParticipantFields } from './participant-fields.ts';

interface Props {
  readonly draft: ParticipantDraft;
  readonly choices: Choices;
  readonly errors: Readonly<Record<string, string>>;
  /** Whether it is open at the start: a new one is. */
  readonly isNew: boolean;
  readonly onChange: (change: Partial<ParticipantDraft>) => void;
  /** Buttons below the fields. */
  readonly children: ComponentChildren;
}

/** A participant in a form: one line, which opens to its fields. An error opens it. */
export function ParticipantCard({ draft, choices, errors, isNew, onChange, children }: Props) {
  const [isOpen, setIsOpen] = useState(isNew);
  const { displayName, colorHex, sourceId, roams } = draft;
  const hasError = Object.keys(errors).length > 0;
  return html`<details
    class="participant-card"
    open=${isOpen || hasError}
    onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && e.target === e.currentTarget && setIsOpen(e.target.open)}
  >
    <summary>
      <${Icon} name="chevron" className="turn" />
      <${Avatar} name=${displayName || '?'} colorHex=${colorHex} />
      <b><${Shown} text=${displayName || 'New participant'} /></b>
      <span class="muted"><${Shown} text=${sourceId} /></span>
      ${roams && canRoam(draft, choices.apis) && html`<span class="chip wait"><${Icon} name="folder" />roams</span>`}
    </summary>
    <${ParticipantFields} draft=${draft} choices=${choices} errors=${errors} onChange=${onChange} />
    <div class="row end">${children}</div>
  </details>`;
}
