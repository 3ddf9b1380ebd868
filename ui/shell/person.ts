import { request, signedOut } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { dropKey } from '../http/page-key.ts';
import type { Person, Role } from '../http/api-types.ts';

/** Each role may also do what those before it may. */
const ROLES: readonly Role[] = ['viewer', 'approver', 'admin'];

/** Who is signed in. The style sheet hides what the role may not do (`data-role` of the root). */
export const person = createResource(async (_key, signal) => {
  const { user } = await request<{ readonly user: Person }>('GET', '/api/auth/whoami', { signal });
  document.documentElement.dataset['role'] = user.role;
  return user;
});

/** Whether the person may do what a role may; true until the server has said who it is. */
export function mayDo(role: Role): boolean {
  const { data } = person.state.value;
  return data === undefined || ROLES.indexOf(data.role) >= ROLES.indexOf(role);
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await request('POST', '/api/auth/logout').catch(() => undefined);
  dropKey();
  signedOut.value = true;
}
