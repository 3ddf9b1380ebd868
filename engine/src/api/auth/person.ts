import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';
import { type Person, type Role, ROLES } from '../access.ts';

/** Whoever holds the token of the server: the person who started it, and their programs. */
export const LOCAL: Person = { id: 'local', name: 'Local user', role: 'admin' };

/** The people of the requests in work. */
const people = new WeakMap<IncomingMessage, Person>();

/** Notes who sent a request. */
export function setPerson(ctx: Context, person: Person): void {
  people.set(ctx.req, person);
}

/** Who sent a request that passed the login check. */
export function personOf(ctx: Context): Person {
  const person = people.get(ctx.req);
  if (person === undefined) throw new EngineError('INTERNAL', `nobody is known to send ${ctx.method} ${ctx.path}`);
  return person;
}

/** Whether a person may do what a role may. */
export function hasRole({ role }: Person, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Throws `FORBIDDEN` unless the person of a request has a role. */
export function expectRole(ctx: Context, needed: Role): void {
  const person = personOf(ctx);
  if (hasRole(person, needed)) return;
  throw new EngineError('FORBIDDEN', `this needs the role ${needed}, and ${person.name} is ${person.role}`, {
    hint: 'an admin can change the role in "login.users" of the settings',
  });
}

/** Lets a request pass if its person has a role. `FORBIDDEN`. */
export function requireRole(needed: Role): Middleware {
  return (ctx, next) => {
    expectRole(ctx, needed);
    return next();
  };
}
