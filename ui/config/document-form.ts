import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { DocumentState } from '../../engine/src/config/config.ts';
import type { ConfigState } from '../http/api-types.ts';
import { mayDo } from '../shell/person.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import {
  documentDrafts,
  type FormFacts,
  formFacts,
  keyOf,
  saveDocument,
  setDocumentDraft,
  type ShownDocument,
  shownDocument,
} from './documents.ts';
import { SchemaForm } from './form/schema-form.ts';
import type { Fields } from './form/schema.ts';
import { useUnready } from './form/unready.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

interface Props {
  readonly document: DocumentState;
  readonly shown: ShownDocument;
  readonly config: ConfigState;
}

/** The form of a file. It holds what the file spells; defaults stand as placeholders. Saving keeps comments and order. */
export function DocumentForm(props: Props) {
  const { kind } = props.document;
  const { data: facts, key } = formFacts.state.value;
  if (facts === undefined || key !== kind) return null;
  const { shown } = props;
  if (shown.written === undefined)
    return html`<${Empty} icon="alert" title="This file cannot be read.">
      <p>Its syntax is broken: correct it in an editor. Source shows where.</p>
    <//>`;
  if (shown.isRedacted)
    return html`<${Empty} icon="shield" title="A secret stands in this file.">
      <p>
        Callsheet hides it, so the form cannot save the file. Store the value as a secret, and write its name into the
        file.
      </p>
    <//>`;
  return html`<${OpenForm} ...${props} written=${shown.written} facts=${facts} />`;
}

function OpenForm({
  document,
  shown,
  config,
  written,
  facts,
}: Props & { readonly written: Fields; readonly facts: FormFacts }) {
  const { kind, id } = document;
  const key = keyOf(kind, id);
  const draft = documentDrafts.value.get(key);
  const [isSaving, setSaving] = useState(false);
  const [hasUnready, setUnready] = useUnready();
  const isChanged = draft !== undefined;
  const latest = useRef(written);
  latest.current = draft?.value ?? written;
  const change = (value: Fields) => {
    const now = documentDrafts.value.get(key);
    setDocumentDraft(key, { value, fileHash: now?.fileHash ?? shown.fileHash, error: now?.error });
  };
  const save = async () => {
    if (!isChanged || isSaving || hasUnready) return;
    setSaving(true);
    await saveDocument(kind, id);
    setSaving(false);
  };
  const isOutdated = draft?.error?.code === 'CONFLICT' || (isChanged && shown.fileHash !== draft.fileHash);
  return html`<form
    class="document-form"
    aria-label=${`Form of ${id}`}
    onSubmit=${(event: Event) => {
      event.preventDefault();
      void save();
    }}
  >
    ${draft?.error !== undefined && html`<${Refused} error=${draft.error} revision=${config.revision} />`}
    ${
      isOutdated &&
      html`<p class="notice bad" role="alert" data-part>
        <${Icon} name="alert" /><span
          >The file has changed since this edit began.
          <button
            ...${nearKeyed('W', 'Drop the edit and load the file')}
            type="button"
            onClick=${() => {
              setDocumentDraft(key, undefined);
              shownDocument.refresh();
            }}
          >
            Drop the edit and load the file
          </button></span
        >
      </p>`
    }
    <${SchemaForm}
      kind=${kind}
      id=${id}
      facts=${facts}
      config=${config}
      value=${latest.current}
      error=${draft?.error}
      onChange=${change}
      onUnready=${setUnready}
    />
    <div class="form-bar">
      <button
        ...${keyed(MAIN_KEY, 'Save')}
        class="primary for-admin"
        disabled=${!isChanged || isSaving || hasUnready || !mayDo('admin')}
      >
        ${isSaving ? 'Saving…' : 'Save'}
      </button>
      <button
        ...${nearKeyed('Q', 'Discard changes')}
        type="button"
        disabled=${!isChanged}
        onClick=${() => setDocumentDraft(key, undefined)}
      >
        Discard changes
      </button>
      <span class="muted" role="status"
        >${hasUnready ? 'A YAML box is not valid yet.' : isChanged ? 'Not saved yet.' : ''}</span
      >
    </div>
  </form>`;
}

/** Why the server refused an edit, and what goes on running. */
function Refused({ error, revision }: { readonly error: ErrorBody; readonly revision: string }) {
  const problems = error.where?.problems ?? [];
  return html`<div class="notice bad" role="alert">
    <${Icon} name="alert" />
    <div>
      <p><b>Not saved.</b> The config that ran before still runs, in revision <code>${revision.slice(0, 12)}</code>.</p>
      ${
        problems.length === 0
          ? html`<p>${error.message}</p>`
          : html`<ul>
              ${problems.map(
                (problem, i) =>
                  html`<li key=${i}>
                    ${problem.path !== '' && html`<code>${problem.path.slice(1).replaceAll('/', '.')}</code> `}${problem.message}${problem.hint !== undefined && html`. <span class="muted">${problem.hint}</span>`}
                  </li>`,
              )}
            </ul>`
      }
      ${problems.length === 0 && error.hint !== undefined && html`<p>${error.hint}</p>`}
    </div>
  </div>`;
}
