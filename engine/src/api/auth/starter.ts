import type { Users } from '../access.ts';

/** Who started a run or a session, for people to read. */
export interface StartedBy {
  readonly startedByName?: string;
}

/** A run or a session with the name of the person who started it; as it is if no person did. */
export async function withStarter<T extends object>(
  { users }: { readonly users: Pick<Users, 'nameOf'> },
  run: T,
): Promise<T & StartedBy> {
  const startedBy: unknown = Reflect.get(run, 'startedBy');
  const name = typeof startedBy === 'string' ? await users.nameOf(startedBy) : undefined;
  return name === undefined ? run : { ...run, startedByName: name };
}
