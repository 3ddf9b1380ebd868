import { signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { DocumentState } from '../../engine/src/config/config.ts';
import type { ConfigLinks } from '../../engine/src/api/routes/config/config-links.ts';
import { isRecord } from '../http/json.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { showToast } from '../widget/toast.ts';
import { config } from './config.ts';
import type { Fields, Schema } from './form/schema.ts';

/** Kind of a document. */
export type Kind = DocumentState['kind'];

/** A document as the API answers it: its keys with defaults, and the state of its file. */
export interface ShownDocument {
  /** The keys with defaults, without `document`. */
  readonly effective: Fields;
  readonly text: string;
  readonly fileHash: string;
  /** The keys that the file spells; undefined where its syntax is broken. */
  readonly written: Fields | undefined;
  /** A known secret stands in it and is hidden: the form must not write the mark back. */
  readonly isRedacted: boolean;
}

/** What a form is made from. */
export interface FormFacts {
  readonly schema: Schema;
  readonly variables: readonly { readonly name: string; readonly isUntrusted: boolean }[];
}

/** Name of the routes of each kind. */
const ROUTES: Readonly<Record<Kind, string>> = {
  settings: 'settings',
  api: 'apis',
  account: 'accounts',
  filter: 'filters',
  director: 'directors',
  agent: 'agents',
  prompt: 'prompts',
  tool: 'tools',
  chat: 'chat-presets',
};

/** The address of a document in the API. */
function urlOf(kind: Kind, id: string): string {
  return kind === 'settings' ? '/api/settings' : path`/api/${ROUTES[kind]}/${id}`;
}

/** Key of a document in resources and drafts. */
export const keyOf = (kind: Kind, id: string) => `${kind}/${id}`;

/** Key of the draft of a document that is not created yet; its `value` has the id too. */
export const newKeyOf = (kind: Kind) => `new/${kind}`;

function parseKey(key: string): { readonly kind: Kind; readonly id: string } {
  const [name = '', ...id] = key.split('/');
  const kind = (Object.keys(ROUTES) as Kind[]).find((known) => known === name) ?? 'settings';
  return { kind, id: id.join('/') };
}

/** The open document, by `keyOf`. */
export const shownDocument = createResource(async (key, aborted): Promise<ShownDocument> => {
  const { kind, id } = parseKey(key);
  return read(await request<Record<string, unknown>>('GET', urlOf(kind, id), { signal: aborted }));
});

function read({ document, isRedacted, ...effective }: Record<string, unknown>): ShownDocument {
  const facts = isRecord(document) ? document : {};
  const { text, fileHash, written } = facts;
  return {
    effective,
    text: typeof text === 'string' ? text : '',
    fileHash: typeof fileHash === 'string' ? fileHash : '',
    // Settings without a file have only defaults.
    written: document === undefined ? {} : isRecord(written) ? written : undefined,
    isRedacted: isRedacted === true,
  };
}

/** The facts of the form of the open kind. */
export const formFacts = createResource((kind, aborted) =>
  request<FormFacts>('GET', path`/api/config/forms/${kind}`, { signal: aborted }),
);

/** How the documents that run belong together. */
export const configLinks = createResource((_key, aborted) =>
  request<ConfigLinks>('GET', '/api/config/links', { signal: aborted }),
);

/** Names of tools and families that documents can name. */
export const toolNames = createResource(async (_key, aborted) => {
  interface Catalog {
    readonly families: readonly {
      readonly name: string;
      readonly use: string;
      readonly tools: readonly { readonly name: string }[];
    }[];
  }
  const { families } = await request<Catalog>('GET', '/api/tools/catalog', { signal: aborted });
  const named = families.filter(({ use }) => use === 'named');
  return [...named.map(({ name }) => name), ...named.flatMap(({ tools }) => tools.map(({ name }) => name))];
});

/** Names of the secrets that are stored. */
export const secretNames = createResource(async (_key, aborted) => {
  const { items } = await request<{ readonly items: readonly { readonly name: string }[] }>('GET', '/api/secrets', {
    signal: aborted,
  });
  return items.map(({ name }) => name);
});

/** Names of the notebooks. */
export const notebookNames = createResource(async (_key, aborted) => {
  const { folders } = await request<{ readonly folders: readonly string[] }>('GET', '/api/folders', {
    signal: aborted,
  });
  return folders;
});

/** Loads what was opened again, after a change of the config. */
export function refreshDocuments(): void {
  for (const resource of [shownDocument, configLinks, notebookNames]) resource.refresh();
}

/** An edit that is not saved. */
export interface DocumentDraft {
  readonly value: Fields;
  /** Hash of the file that the edit began with; `''` for a new document. */
  readonly fileHash: string;
  /** Why the server refused it. */
  readonly error?: ErrorBody | undefined;
}

/** Unsaved edits by `keyOf`. They stay while other pages are open. */
export const documentDrafts = signal<ReadonlyMap<string, DocumentDraft>>(new Map());

/** Keeps an edit; undefined drops it. */
export function setDocumentDraft(key: string, draft: DocumentDraft | undefined): void {
  const next = new Map(documentDrafts.value);
  if (draft === undefined) next.delete(key);
  else next.set(key, draft);
  documentDrafts.value = next;
}

/** Saves the edit of a document. Resolves to whether the server took it; why not is in the draft. */
export async function saveDocument(kind: Kind, id: string): Promise<boolean> {
  const key = keyOf(kind, id);
  const draft = documentDrafts.value.get(key);
  if (draft === undefined) return false;
  try {
    const body = kind === 'settings' ? draft.value : { ...draft.value, id };
    const query = draft.fileHash === '' ? '' : `?${new URLSearchParams({ expectedHash: draft.fileHash })}`;
    const saved = read(await request<Record<string, unknown>>('PUT', `${urlOf(kind, id)}${query}`, { body }));
    if (shownDocument.state.value.key === key) shownDocument.set(saved);
    const now = documentDrafts.value.get(key);
    // What was written meanwhile is an edit of the file as it is now.
    const isOver = now === undefined || now.value === draft.value;
    setDocumentDraft(key, isOver ? undefined : { value: now.value, fileHash: saved.fileHash });
    refreshAll();
    showToast('Saved, and it runs.');
    return true;
  } catch (thrown) {
    const now = documentDrafts.value.get(key) ?? draft;
    setDocumentDraft(key, { ...now, error: errorOfThrown(thrown) });
    return false;
  }
}

/** Creates a document. Rejects as the API does. */
export async function createDocument(kind: Kind, id: string, value: Fields): Promise<void> {
  await request('POST', `/api/${ROUTES[kind]}`, { body: { ...value, id } });
  refreshAll();
}

/** Deletes the file of a document. Rejects with `CONFLICT` if another document names it. */
export async function deleteDocument(kind: Kind, id: string): Promise<void> {
  await request('DELETE', urlOf(kind, id));
  setDocumentDraft(keyOf(kind, id), undefined);
  config.refresh();
}

/** Writes the order of the documents of a kind. */
export async function orderDocuments(kind: Kind, ids: readonly string[]): Promise<void> {
  await request('PUT', `/api/${ROUTES[kind]}/order`, { body: { ids } });
  refreshAll();
}

function refreshAll(): void {
  config.refresh();
  refreshDocuments();
}
