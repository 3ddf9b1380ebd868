import type { Context } from 'koa';

/** Answers with an error, as the real server does. */
export function fail(ctx: Context, status: number, code: string, message: string): void {
  ctx.status = status;
  ctx.body = { error: { code, message } };
}

/** One page of a list. */
export function page<T extends { id: string }>(
  ctx: Context,
  all: readonly T[],
): { items: T[]; nextCursor: string | null } {
  const limit = Number(ctx.query['limit'] ?? 50);
  const start = ctx.query['cursor'] === undefined ? 0 : Number(ctx.query['cursor']);
  const end = start + limit;
  return { items: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
}
