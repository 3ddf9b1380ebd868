import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown } from '../http/request.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { config } from './config.ts';
import { KIND_LABELS } from './document-list.ts';
import { createDocument, documentDrafts, formFacts, type Kind, newKeyOf, setDocumentDraft } from './documents.ts';
import { emptyOf, type Fields, isFields, resolve, type Schema, variantOf } from './form/schema.ts';
import { SchemaForm } from './form/schema-form.ts';
import { useUnready } from './form/unready.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

/** Which folder a kind lies in, for the name of the new file. */
const FOLDERS: Readonly<Partial<Record<Kind, string>>> = {
  api: 'apis',
  account: 'accounts',
  filter: 'filters',
  director: 'directors',
  agent: 'agents',
  prompt: 'prompts',
  tool: 'tools',
  chat: 'chats',
};

/** The form of a new document: its id, and what its kind requires. */
export function NewDocument({ kind: name }: { readonly kind: string }) {
  const kind = KIND_LABELS.find(([known]) => known === name)?.[0];
  useEffect(() => {
    if (kind !== undefined) formFacts.show(kind);
  }, [kind]);
  const { data: facts, key: loaded } = formFacts.state.value;
  const state = config.state.value.data;
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [hasUnready, setUnready] = useUnready();
  if (kind === undefined || kind === 'settings')
    return html`<${Empty} icon="alert" title="There is no such kind of files." />`;
  if (facts === undefined || loaded !== kind || state === undefined) return null;
  const key = newKeyOf(kind);
  const { id: typed, ...edited } = documentDrafts.value.get(key)?.value ?? {};
  const isEdited = documentDrafts.value.has(key);
  const id = typeof typed === 'string' ? typed : '';
  const fields = isEdited ? edited : emptyDocument(facts.schema);
  // It stays while other pages are open, as every edit.
  const keep = (value: Fields) => setDocumentDraft(key, { value, fileHash: '' });
  const create = async () => {
    const place = route.value;
    setBusy(true);
    try {
      await createDocument(kind, id, fields);
    } catch (thrown) {
      setError(errorOfThrown(thrown));
      return;
    } finally {
      setBusy(false);
    }
    setDocumentDraft(key, undefined);
    showToast(`${id} is created, and it runs.`);
    if (route.value === place)
      go('config', [`${(state.documents[0]?.file ?? 'config/').split('/')[0]}/${FOLDERS[kind]}/${id}.yaml`]);
  };
  const problems = error?.where?.problems ?? [];
  return html`<header class="head">
      <div class="title"><h1>New: ${KIND_LABELS.find(([known]) => known === kind)?.[1]}</h1></div>
    </header>
    <div class="body pad document-body">
      <form
        class="document-form"
        aria-label="New document"
        inert=${isBusy}
        onSubmit=${(event: Event) => {
          event.preventDefault();
          void create();
        }}
      >
        ${
          error !== undefined &&
          html`<div class="notice bad" role="alert">
            <${Icon} name="alert" />
            <div>
              <p><b>Not created.</b> ${problems.length === 0 && error.message}</p>
              <ul>
                ${problems.map((problem, i) => html`<li key=${i}><code>${problem.path.slice(1).replaceAll('/', '.')}</code> ${problem.message}</li>`)}
              </ul>
            </div>
          </div>`
        }
        <div class="form-field">
          <label
            >Id <span class="muted">(required)</span>
            <input
              value=${id}
              autocomplete="off"
              placeholder="letters, digits, _ and -"
              onInput=${(event: Event) => event.target instanceof HTMLInputElement && keep({ ...fields, id: event.target.value })}
          /></label>
          <p class="help-text">
            The name of the file: <code>${FOLDERS[kind]}/${id === '' ? '…' : id}.yaml</code>. It does not change later.
          </p>
        </div>
        <${SchemaForm}
          kind=${kind}
          id=""
          facts=${facts}
          config=${state}
          value=${fields}
          error=${error}
          onChange=${(value: Fields) => keep({ ...value, id })}
          onUnready=${setUnready}
        />
        <div class="form-bar">
          <button ...${keyed(MAIN_KEY, 'Create')} class="primary for-admin" disabled=${id === '' || hasUnready}>
            Create
          </button>
          <button
            ...${nearKeyed('Q', 'Discard changes')}
            type="button"
            disabled=${!isEdited}
            onClick=${() => setDocumentDraft(key, undefined)}
          >
            Discard changes
          </button>
        </div>
      </form>
    </div>`;
}

/** The required keys of a kind with empty values. */
function emptyDocument(root: Schema): Fields {
  const { oneOf: _none, ...variant } = variantOf(root, {});
  const empty = emptyOf(
    resolve({ ...variant, type: 'object', oneOf: root.discriminator === undefined ? root.oneOf : [] }, root),
    root,
  );
  const fields = isFields(empty) ? empty : {};
  const { id: _id, ...others } = fields;
  return Object.fromEntries(Object.entries(others).filter(([, one]) => one !== ''));
}
