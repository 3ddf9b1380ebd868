import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { Choice } from '../../widget/choice.ts';
import type { Choices } from './choices.ts';
import { Field, SelectField, TextField } from './field.ts';
import { canRoam, type ParticipantDraft } from './participant-draft.ts';
import { RoamingFields } from './roaming-fields.ts';

interface Props {
  readonly draft: ParticipantDraft;
  readonly choices: Choices;
  /** Why a field is not accepted, by its name. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ParticipantDraft>) => void;
}

const KINDS = [
  ['api', 'Model or tool'],
  ['agent', 'Agent of the config'],
] as const;

/** The fields of one participant. */
export function ParticipantFields({ draft, choices, errors, onChange }: Props) {
  const { apis, agents } = choices;
  const kindId = useId();
  const sources = draft.kind === 'agent' ? agents : apis;
  const chooseKind = (kind: ParticipantDraft['kind']) =>
    onChange({ kind, sourceId: (kind === 'agent' ? agents : apis)[0]?.id ?? '' });
  return html`<div class="participant-fields">
    <div class="pair">
      <${TextField}
        label="Display name"
        value=${draft.displayName}
        error=${errors['displayName']}
        onInput=${(displayName: string) => onChange({ displayName })}
      />
      <${Field} label="Colour" error=${errors['colorHex']}>
        ${(described: object) =>
          html`<input
            ...${described}
            type="color"
            value=${draft.colorHex}
            onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && onChange({ colorHex: e.target.value })}
          />`}
      <//>
    </div>
    <div class="form-field">
      <span id=${kindId}>Type</span>
      <${Choice} label="Type" nextKey="K" options=${KINDS} value=${draft.kind} onChoose=${chooseKind} />
    </div>
    <${SelectField}
      label=${draft.kind === 'agent' ? 'Agent' : 'Model API or command-line agent'}
      hint=${hintOf(draft, choices)}
      value=${draft.sourceId}
      error=${errors['sourceId'] ?? errors['apiConfigId'] ?? errors['agentId']}
      options=${sources.map((one) => [one.id, one.name === undefined ? one.id : `${one.name} (${one.id})`] as const)}
      onChoose=${(sourceId: string) => onChange({ sourceId })}
    />
    <${TextField}
      label="Persona"
      hint="Who it is and how it speaks. Part of each of its prompts."
      rows=${3}
      value=${draft.persona}
      error=${errors['persona']}
      onInput=${(persona: string) => onChange({ persona })}
    />
    ${canRoam(draft, apis) && html`<${RoamingFields} draft=${draft} errors=${errors} onChange=${onChange} />`}
  </div>`;
}

function hintOf({ kind, sourceId }: ParticipantDraft, { apis, agents }: Choices): string | undefined {
  const found = (kind === 'agent' ? agents : apis).find(({ id }) => id === sourceId);
  return found?.description || undefined;
}
