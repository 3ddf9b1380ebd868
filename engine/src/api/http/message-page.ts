import { createHash } from 'node:crypto';
import type { Context } from 'koa';

/** Content of the page after a sign-in at a provider. */
export interface MessagePage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isDone: boolean;
}

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:34rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.3rem}';
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** Answers with a small HTML page without scripts. */
export function messagePage(ctx: Context, { title, lines, isDone }: MessagePage): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'text/html; charset=utf-8';
  // The session cookie belongs to 127.0.0.1; the provider may have redirected to localhost.
  const home = `http://127.0.0.1:${ctx.req.socket.localPort}/#/config`;
  ctx.body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)} · Callsheet</title>` +
    `<style>${STYLE}</style></head><body><main data-done="${isDone}"><h1>${escape(title)}</h1>` +
    `${lines.map((line) => `<p>${escape(line)}</p>`).join('')}<p><a href="${home}">Callsheet</a></p></main></body></html>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
