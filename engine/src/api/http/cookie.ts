import type { Context } from 'koa';
import type { Access } from '../access.ts';

/** A cookie to set. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** 0 deletes the cookie. */
  readonly ageMs: number;
}

/**
 * Sets a cookie that scripts cannot read and that other sites send only with a followed link. `Secure` where browsers reach the
 * server by https.
 */
export function addCookie(ctx: Context, { name, value, ageMs }: Cookie, { isProduction }: Access): void {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  const secure = isProduction ? '; Secure' : '';
  const others = [ctx.response.get('Set-Cookie') ?? []]
    .flat()
    .filter((line) => !line.startsWith(`${name}=`) && line !== '');
  ctx.set('Set-Cookie', [...others, `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`]);
}
