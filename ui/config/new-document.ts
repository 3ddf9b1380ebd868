import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown } from '../http/request.ts';
import { go } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { config } from './config.ts';
import { KIND_LABELS } from './document-list.ts';
import { createDocument, formFacts, type Kind } from './documents.ts';
import { emptyOf, type Fields, isFields, resolve, type Schema, variantOf } from './form/schema.ts';
import { SchemaForm } from './form/schema-form.ts';

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
  const { data: facts, key } = formFacts.state.value;
  const state = config.state.value.data;
  const [id, setId] = useState('');
  const [value, setValue] = useState<Fields | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [unready, setUnready] = useState<ReadonlySet<string>>(new Set());
  if (kind === undefined || kind === 'settings')
    return html`<${Empty} icon="alert" title="There is no such kind of files." />`;
  if (facts === undefined || key !== kind || state === undefined) return null;
  const fields = value ?? emptyDocument(facts.schema);
  const create = async () => {
    try {
      await createDocument(kind, id, fields);
    } catch (thrown) {
      setError(errorOfThrown(thrown));
      return;
    }
    showToast(`${id} is created, and it runs.`);
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
              onInput=${(event: Event) => event.target instanceof HTMLInputElement && setId(event.target.value)}
          /></label>
          <p class="help-text">
            The name of the file: <code>${FOLDERS[kind]}/${id === '' ? '…' : id}.yaml</code>. It does not change later.
          </p>
        </div>
        <${SchemaForm}
          kind=${kind}
          id=${id}
          facts=${facts}
          config=${state}
          value=${fields}
          error=${error}
          onChange=${setValue}
          onUnready=${(path: string, isOn: boolean) => {
            const next = new Set(unready);
            if (isOn) next.add(path);
            else next.delete(path);
            setUnready(next);
          }}
        />
        <div class="form-bar">
          <button class="primary for-admin" disabled=${id === '' || unready.size > 0}>Create</button>
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
