import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { ApprovalRecord } from '../../../guard/approval.ts';
import { callTitle } from '../../../tool/call-title.ts';
import { type MailPreview, readPreview } from '../../../tool/preview.ts';

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:46rem;margin:3rem auto;padding:0 1.5rem}h1{font-size:1.3rem}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8888;border-radius:6px;padding:.75rem}' +
  'button{font:inherit;padding:.4rem 1.2rem;margin-right:.75rem}input{font:inherit;width:100%;box-sizing:border-box}';

/** The page sends its form to itself, loads nothing, runs no script, and stands in no frame. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join('; ');

/** Answers with a page that shows a call and asks for an answer. It changes nothing by itself. */
export function approvalPage(ctx: Context, approval: ApprovalRecord): void {
  if (approval.kind === 'question') return questionPage(ctx, approval);
  const { action, target } = callTitle(approval.tool, approval.arguments, approval.preview);
  const { directorId, agentId } = approval.requestedBy;
  const who = [directorId, agentId].filter((id) => id !== undefined && id !== '').join(' / ');
  const warnings = (approval.warnings ?? []).map((warning) => `<p><strong>${escape(warning)}</strong></p>`);
  sendPage(ctx, `${action}?`, [
    target === undefined ? '' : `<p>${escape(target)}</p>`,
    `<p>${escape(who)} asks: ${escape(approval.reason)}</p>`,
    ...warnings,
    ...shownCall(approval),
    approval.expiresAt === undefined ? '' : `<p>Expires ${escape(approval.expiresAt)}.</p>`,
    '<form method="post"><p><label>Reason, for the model where you deny<br><input name="reason" maxlength="1000"></label></p>' +
      '<p><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></p></form>',
  ]);
}

/** Answers with a page that says what became of an answer. */
export function answeredPage(ctx: Context, title: string, lines: readonly string[]): void {
  sendPage(
    ctx,
    title,
    lines.map((line) => `<p>${escape(line)}</p>`),
  );
}

function questionPage(ctx: Context, { arguments: args, requestedBy, expiresAt }: ApprovalRecord): void {
  const choices = Array.isArray(args['choices']) ? args['choices'].map(String) : [];
  const buttons = choices.map(
    (choice) => `<p><button name="choice" value="${escape(choice)}">${escape(choice)}</button></p>`,
  );
  sendPage(ctx, `${requestedBy.directorId} asks you`, [
    block(String(args['question'] ?? '')),
    expiresAt === undefined ? '' : `<p>Expires ${escape(expiresAt)}.</p>`,
    `<form method="post">${buttons.join('')}</form>`,
    '<form method="post"><p><label>Your answer<br><input name="answer" maxlength="4000" required></label></p>' +
      '<p><button>Answer</button></p></form>',
    '<form method="post"><p><button name="decision" value="deny">Don’t answer</button></p></form>',
  ]);
}

function sendPage(ctx: Context, title: string, parts: readonly string[]): void {
  ctx.set('Content-Security-Policy', POLICY);
  // Not no-referrer, with which the form would be sent with Origin: null. No other site gets the address.
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Robots-Tag', 'noindex');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escape(title)} · Callsheet</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escape(title)}</h1>${parts.join('')}</main></body></html>\n`;
}

/** What the call does, and its exact arguments. */
function shownCall({ preview, arguments: args }: ApprovalRecord): string[] {
  const read = readPreview(preview);
  const shown =
    read?.kind === 'mail' ? mailText(read) : read === undefined ? preview.data : JSON.stringify(read, null, 2);
  const html = read?.kind === 'mail' && read.html !== undefined ? read.html : undefined;
  return [
    block(shown),
    html === undefined ? '' : `<details><summary>HTML of the mail, as source</summary>${block(html)}</details>`,
    preview.mimeType === 'application/json'
      ? ''
      : `<details><summary>Arguments</summary>${block(JSON.stringify(args, null, 2))}</details>`,
  ];
}

function mailText({ headers, text, attachments }: MailPreview): string {
  const lines = headers.map(({ name, values }) => `${name}: ${values.join(', ')}`);
  const files = attachments.map(({ name, mimeType, bytes }) => `Attachment: ${name} (${mimeType}, ${bytes} bytes)`);
  return [...lines, ...files, '', text].join('\n');
}

function block(text: string): string {
  return `<pre>${escape(text)}</pre>`;
}

/** Text as HTML. Characters that nobody sees, and those that turn the direction of text, are shown by their number. */
function escape(text: string): string {
  const visible = text.replace(/[\p{Cf}\p{Cc}]/gu, (char) =>
    char === '\n' || char === '\t' || char === '\r' ? char : `[U+${char.codePointAt(0)?.toString(16).toUpperCase()}]`,
  );
  return visible.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
