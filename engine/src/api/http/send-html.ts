import type { Context } from 'koa';
import { bodyHeaders } from '../../mail/html/safe-headers.ts';

/** Answers with HTML that `safeHtml` or `safeMarkdown` made, under a policy that runs no script. `images`: https images load. */
export function sendHtml(ctx: Context, html: string, images: boolean): void {
  for (const [name, value] of Object.entries(bodyHeaders({ images }))) ctx.set(name, value);
  ctx.body = html;
}
