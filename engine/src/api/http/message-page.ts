import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { EngineError } from '../../base/error.ts';
import type { Access } from '../access.ts';
import { originOf } from './same-origin.ts';

/** Content of the page after a sign-in at a provider. */
export interface MessagePage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isDone: boolean;
  /** Where the link to Callsheet leads. */
  readonly home: string;
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
export function messagePage(ctx: Context, { title, lines, isDone, home }: MessagePage): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)} · Callsheet</title>` +
    `<style>${STYLE}</style></head><body><main data-done="${isDone}"><h1>${escape(title)}</h1>` +
    `${lines.map((line) => `<p>${escape(line)}</p>`).join('')}<p><a href="${escape(home)}">Callsheet</a></p></main></body></html>\n`;
}

/** Shows an error to a browser as a page with this title, to a program as JSON. `place`: where the link leads, as `#/config`. */
export async function asPage(
  ctx: Context,
  { title, access, place = '' }: { readonly title: string; readonly access: Access; readonly place?: string },
  work: () => Promise<void>,
): Promise<void> {
  if (!isBrowser(ctx)) return work();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EngineError) || !error.expose) throw error;
    const { message, hint, status } = error;
    const lines = [message, ...(hint === undefined ? [] : [hint])];
    ctx.status = status;
    messagePage(ctx, { title, lines, isDone: false, home: homeOf(ctx, access) + place });
  }
}

/** The viewer's address. The cookie of a local session belongs to 127.0.0.1; a provider may have redirected to localhost. */
export function homeOf(ctx: Context, access: Access): string {
  return access.publicOrigin === undefined
    ? `http://127.0.0.1:${ctx.req.socket.localPort}/`
    : `${originOf(ctx, access)}/`;
}

/** Whether a person looks at the answer, and no program. */
export function isBrowser(ctx: Context): boolean {
  return ctx.accepts('json', 'html') === 'html' || ctx.get('Sec-Fetch-Mode') === 'navigate';
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
