import { html } from 'htm/preact';
import { Icon } from '../../widget/icon.ts';
import type { ApiChoice } from './choices.ts';
import { SelectField, TextField } from './field.ts';

/** What a chat has besides title, context and participants. */
export interface MoreDraft {
  /** As typed. */
  readonly maxRounds: string;
  /** A path in each line. */
  readonly files: string;
  readonly caseSensitive: boolean;
  /** Id of the api that writes the summary; `''` for that of a participant. */
  readonly summaryApiConfigId: string;
}

interface Props {
  readonly draft: MoreDraft;
  readonly apis: readonly ApiChoice[];
  /** Why a field is not accepted, by its name. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<MoreDraft>) => void;
}

/** Rounds, files, the case of mentions and the summary: closed until somebody wants them, or one has an error. */
export function MoreFields({ draft, apis, errors, onChange }: Props) {
  const hasError = ['maxRounds', 'files', 'caseSensitive', 'summaryApiConfigId'].some(
    (field) => errors[field] !== undefined,
  );
  return html`<details class="more-fields" open=${hasError}>
    <summary><${Icon} name="chevron" className="turn" />Rounds, files, mentions and summary</summary>
    <div class="participant-fields">
      <${TextField}
        label="Rounds"
        hint="How often participants that mention each other answer after one message of yours."
        value=${draft.maxRounds}
        error=${errors['maxRounds']}
        onInput=${(maxRounds: string) => onChange({ maxRounds })}
      />
      <${TextField}
        label="Files"
        hint="A path in each line, in folders of roots: at most 20 files, 256 KB together. Part of each prompt."
        rows=${3}
        value=${draft.files}
        error=${errors['files']}
        onInput=${(files: string) => onChange({ files })}
      />
      <label class="check"
        ><input
          type="checkbox"
          checked=${draft.caseSensitive}
          onChange=${(e: Event) => e.target instanceof HTMLInputElement && onChange({ caseSensitive: e.target.checked })}
        /><span>Names in mentions must be written in the same case</span></label
      >
      <${SelectField}
        label="Summary by"
        hint="Writes the summary of what a long chat has before the messages that participants read word for word."
        value=${draft.summaryApiConfigId}
        error=${errors['summaryApiConfigId']}
        options=${[['', 'The API of a participant'], ...apis.map((one) => [one.id, one.name === undefined ? one.id : `${one.name} (${one.id})`])]}
        onChoose=${(summaryApiConfigId: string) => onChange({ summaryApiConfigId })}
      />
    </div>
  </details>`;
}

/** The draft as the API takes it. */
export function moreBody({
  maxRounds,
  files,
  caseSensitive,
  summaryApiConfigId,
}: MoreDraft): Readonly<Record<string, unknown>> {
  const rounds = maxRounds.trim();
  return {
    // What is no number is refused at its field.
    ...(rounds !== '' && { maxRounds: /^\d+$/.test(rounds) ? Number(rounds) : rounds }),
    files: files
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    mentions: { caseSensitive },
    // Empty: that of a participant, also where the chat or its preset names one.
    summaryApiConfigId,
  };
}

/** A chat or preset as a draft. */
export function moreDraft(chat: {
  readonly maxRounds?: number | undefined;
  readonly files?: readonly string[] | undefined;
  readonly mentions?: { readonly caseSensitive?: boolean | undefined } | undefined;
  readonly summaryApiConfigId?: string | undefined;
}): MoreDraft {
  return {
    maxRounds: String(chat.maxRounds ?? 3),
    files: (chat.files ?? []).join('\n'),
    caseSensitive: chat.mentions?.caseSensitive === true,
    summaryApiConfigId: chat.summaryApiConfigId ?? '',
  };
}
