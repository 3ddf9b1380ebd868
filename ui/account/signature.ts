import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { config } from '../config/config.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { Connection } from '../http/api-types.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { Marks } from '../widget/visible.ts';
import { type AccountDocument, accountDocuments, signatureDrafts, setSignatureDraft } from './connections.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

interface Props {
  readonly document: AccountDocument;
  readonly provider: Connection['provider'];
}

/** The signature under mails of an account: as it is, and a text area that changes the file. */
export function Signature({ document, provider }: Props) {
  const { id, signature } = document;
  const draft = signatureDrafts.value.get(id);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const own = provider === 'gmail' ? 'None here: Gmail’s own signature is used.' : 'None: mails end with their text.';
  if (draft === undefined)
    return html`<section class="account-signature" aria-label=${`Signature of ${id}`}>
      <h3>Signature</h3>
      ${signature === '' ? html`<p class="muted">${own}</p>` : html`<pre><${Marks} text=${signature} /></pre>`}
      <button
        ...${nearKeyed('E', 'Edit signature')}
        class="for-admin"
        aria-label=${`Edit signature of ${id}`}
        onClick=${() => setSignatureDraft(id, signature)}
      >
        Edit signature
      </button>
    </section>`;
  const save = async () => {
    try {
      await saveSignature(document, draft);
    } catch (thrown) {
      setError(errorOfThrown(thrown));
      return;
    }
    // What was written meanwhile stays.
    if (signatureDrafts.value.get(id) === draft) setSignatureDraft(id, undefined);
    setError(undefined);
    config.refresh();
    accountDocuments.reload('accounts');
    showToast('The signature is saved.');
  };
  return html`<section class="account-signature" aria-label=${`Signature of ${id}`}>
    <h3>Signature</h3>
    <textarea
      rows="4"
      aria-label=${`Text of the signature of ${id}`}
      placeholder=${provider === 'gmail' ? 'Empty: Gmail’s own signature' : 'Kind regards\nAnn Ray'}
      value=${draft}
      onInput=${(event: Event) => event.target instanceof HTMLTextAreaElement && setSignatureDraft(id, event.target.value)}
    ></textarea>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    <div class="row">
      <button ...${keyed(MAIN_KEY, 'Save')} class="primary for-admin" onClick=${() => void save()}>
        Save signature
      </button>
      <button ...${nearKeyed('X', 'Drop this text')} onClick=${() => setSignatureDraft(id, undefined)}>Cancel</button>
    </div>
  </section>`;
}

/** Writes the signature into the file of the account; an empty one removes the key. */
async function saveSignature({ id, fileHash }: AccountDocument, text: string): Promise<void> {
  const url = path`/api/accounts/${id}`;
  interface Read {
    readonly isRedacted?: boolean;
    readonly document: { readonly file: string; readonly written?: Record<string, unknown> };
  }
  const { isRedacted = false, document } = await request<Read>('GET', url);
  // Writing back what was not read would empty the file.
  if (document.written === undefined || isRedacted)
    throw new Error(`${document.file} cannot be changed here: correct it in an editor`);
  const { signature: _old, ...others } = document.written;
  const body = text === '' ? others : { ...others, signature: text };
  await request('PUT', `${url}?${new URLSearchParams({ expectedHash: fileHash })}`, { body: { ...body, id } });
}
