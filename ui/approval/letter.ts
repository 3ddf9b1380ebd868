import { html } from 'htm/preact';
import type { ApprovalView } from '../http/api-types.ts';
import { Shown } from '../widget/visible.ts';

interface Props {
  readonly letter: NonNullable<ApprovalView['letter']>;
  readonly args: ApprovalView['arguments'];
  /** Whether the arguments were edited: the letter then is the one before. */
  readonly isEdited: boolean;
}

/** The mail that a call writes: recipients, subject and its full text, all as they would leave. */
export function Letter({ letter, args, isEdited }: Props) {
  const { to, cc, bcc, subject, unknown } = letter;
  const files = Array.isArray(args['attachments']) ? args['attachments'].map(String) : [];
  return html`<section class="letter" aria-label="The e-mail">
    ${isEdited && html`<p class="edited">This is the e-mail before your edits.</p>`}
    <dl class="mail-head">
      <${Line} name="To" texts=${to} />
      ${unknown !== undefined && html`<${Line} name="To" texts=${[unknown]} />`}
      <${Line} name="Cc" texts=${cc} /><${Line} name="Bcc" texts=${bcc} />
      <${Line} name="Subject" texts=${[subject]} /><${Line} name="Attachments" texts=${files} />
    </dl>
    ${textsOf(args).map(
      ([name, text]) =>
        html`${name !== '' && html`<h3 key=${`h${name}`}>${name}</h3>`}
          <p key=${name} class="words"><${Shown} text=${text} /></p>`,
    )}
  </section>`;
}

function Line({ name, texts }: { name: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return html`<dt>${name}</dt>
    <dd>${texts.map((text, i) => html`${i > 0 && ', '}<${Shown} key=${i} text=${text} />`)}</dd>`;
}

/** The text, and the HTML too: most recipients see only that. */
function textsOf({ text, html: markup }: Props['args']): readonly (readonly [name: string, text: string])[] {
  const isMarkup = typeof markup === 'string' && markup !== '';
  return [
    ...(typeof text === 'string' && text !== '' ? [[isMarkup ? 'Plain text' : '', text] as const] : []),
    ...(isMarkup ? [['HTML, which most recipients see', markup] as const] : []),
  ];
}
