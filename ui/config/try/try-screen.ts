import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { RoutingTrial } from '../../http/api-types.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { FilterTrial } from '../../mail/filter-trace.ts';
import { go } from '../../shell/route.ts';
import { Icon } from '../../widget/icon.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { Shown } from '../../widget/visible.ts';
import { connections } from '../../account/connections.ts';
import { MailChoice } from './mail-choice.ts';
import { keyed, MAIN_KEY } from '../../shell/keys.ts';

/** Largest mail that can be tried, in bytes; its base64 has to fit into a request. */
const MAX_BYTES = 7_000_000;

/** Says which filters, directors and agents a mail would reach, and why: a stored mail, a pasted one, or an .eml file. */
export function TryScreen({ emailId }: { readonly emailId: string }) {
  const [raw, setRaw] = useState<{ readonly name: string; readonly base64: string } | undefined>(undefined);
  const [pasted, setPasted] = useState('');
  const [accountId, setAccountId] = useState('');
  const [trial, setTrial] = useState<RoutingTrial | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isOver, setOver] = useState(false);
  const accounts = connections.state.value.data?.items ?? [];
  useEffect(() => {
    setTrial(undefined);
    setError(undefined);
    const account = accountId === '' ? {} : { accountId };
    const body =
      raw !== undefined
        ? { raw: raw.base64, encoding: 'base64', ...account }
        : emailId !== ''
          ? { emailId }
          : undefined;
    if (body === undefined) return undefined;
    const gone = new AbortController();
    request<RoutingTrial>('POST', '/api/config/try', { body, signal: gone.signal }).then(
      setTrial,
      (thrown: unknown) => !gone.signal.aborted && setError(errorOfThrown(thrown)),
    );
    return () => gone.abort();
  }, [emailId, raw, accountId]);
  const take = async (file: Blob, name: string) => {
    if (file.size > MAX_BYTES)
      setError({ code: 'TOO_LARGE', message: `${name} has more than ${MAX_BYTES / 1_000_000} MB` });
    else
      await base64Of(file).then(
        (base64) => setRaw({ name, base64 }),
        // Such as a folder.
        () => setError({ code: 'BAD_REQUEST', message: `${name} cannot be read`, hint: 'Drop an .eml file.' }),
      );
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) void take(file, file.name);
  };
  return html`<header class="head">
      <div class="title"><h1>Try with an e-mail</h1></div>
    </header>
    <div class="body pad try-mail">
      <p class="muted">
        Shows which filters match, and which directors and agents would get the e-mail. Nothing starts, and nothing is
        stored.
      </p>
      <div
        class=${`try-sources${isOver ? ' over' : ''}`}
        onDragOver=${(event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave=${() => setOver(false)}
        onDrop=${onDrop}
      >
        <${MailChoice}
          label="Stored e-mail"
          none="Choose…"
          value=${emailId}
          onChoose=${(id: string) => {
            setRaw(undefined);
            go('config', id === '' ? ['try'] : ['try', id]);
          }}
        />
        <div class="row">
          <label class="file"
            ><${Icon} name="clip" />Choose an .eml file
            <input
              class="sr"
              type="file"
              accept=".eml,message/rfc822"
              onChange=${(event: Event) => {
                const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : undefined;
                if (file !== undefined) void take(file, file.name);
              }}
            />
          </label>
          <span class="muted">or drop it here${raw !== undefined && html`: <b><${Shown} text=${raw.name} /></b>`}</span>
        </div>
        <details>
          <summary>Paste the source of an e-mail</summary>
          <textarea
            class="mono"
            rows="8"
            aria-label="Source of an e-mail"
            placeholder=${'From: ann@example.org\nSubject: Urgent\n\nText'}
            value=${pasted}
            onInput=${(event: Event) => event.target instanceof HTMLTextAreaElement && setPasted(event.target.value)}
          ></textarea>
          <button
            ...${keyed(MAIN_KEY, 'Try it')}
            disabled=${pasted.trim() === ''}
            onClick=${() => void take(new Blob([pasted]), 'pasted e-mail')}
          >
            Try it
          </button>
        </details>
        ${
          raw !== undefined &&
          accounts.length > 0 &&
          html`<label class="row"
            >As mail of
            <select
              onChange=${(event: Event) => event.target instanceof HTMLSelectElement && setAccountId(event.target.value)}
            >
              <option value="">the first account</option>
              ${accounts.map(({ accountId: id }) => html`<option key=${id} value=${id} selected=${id === accountId}>${id}</option>`)}
            </select></label
          >`
        }
      </div>
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      <div role="status">
        ${
          trial !== undefined &&
          html`<h2><${Shown} text=${trial.mail.subject || '(no subject)'} /></h2>
            <p class="muted">
              <${Shown} text=${trial.mail.from || '(nobody)'} />, account ${trial.mail.accountId || '(none)'}
            </p>
            <${FilterTrial} trial=${trial} />`
        }
      </div>
    </div>`;
}

/** The bytes as base64. */
async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // Larger pieces are too many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
