import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { IdSource } from '../../base/id.ts';
import type { Settings } from '../../config/config.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Row, Store } from '../../store/store.ts';
import { type Person, type Role, ROLES, type Users } from '../access.ts';
import { LOCAL } from './person.ts';

/** Prefix of the ids of people. */
const ID = 'user';

/** A person as stored. Times are epoch milliseconds. */
interface PersonRecord {
  readonly email: string;
  readonly name: string;
  /** The role at the last sign-in. The settings decide what the person may do now. */
  readonly role: Role;
  readonly signedInAt: number;
}

export interface UsersOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly settings: () => Pick<Settings, 'login'>;
  /** Without a sign-in, sessions of people are void. */
  readonly hasLogin: boolean;
}

/** Creates the repository of the people who signed in. */
export function createUsers({ store, clock, ids, settings, hasLogin }: UsersOptions): Users {
  const { seen, load } = storedPeople(store);
  const personFor = (id: string, record: PersonRecord | undefined): Person | undefined => {
    if (!hasLogin || record === undefined) return undefined;
    const role = roleOf(settings(), record.email);
    return role && { id, name: record.name, email: record.email, role };
  };
  return {
    async signIn({ subject, email, name }) {
      const role = roleOf(settings(), email);
      if (role === undefined)
        throw new EngineError('LOGIN_REFUSED', `${email} may not sign in to this Callsheet`, {
          hint: 'an admin can add the address to "login.users" of the settings',
        });
      const identity = store.lookupKey(`person:${subject}`);
      const [before] = await store.list('person', { where: [['identity', '=', identity]], bodies: false });
      const id = before?.id ?? ids.next(ID);
      const record: PersonRecord = { email, name: name === '' ? email : name, role, signedInAt: clock.now() };
      const row: Row<'person'> = { id, identity, at: record.signedInAt, body: JSON.stringify(record) };
      await store.apply([{ op: 'put', table: 'person', row }]);
      seen.set(id, record);
      return { id, name: record.name, email, role };
    },
    find: async (id) => (id === LOCAL.id ? LOCAL : personFor(id, await load(id))),
    known: (id) => (id === LOCAL.id ? LOCAL : personFor(id, seen.get(id))),
    nameOf: nameBy(load),
  };
}

/** Names of people from a store alone, for lists. */
export function namesIn(store: Store): Pick<Users, 'nameOf'> {
  return { nameOf: nameBy(storedPeople(store).load) };
}

type LoadPerson = (id: string) => Promise<PersonRecord | undefined>;

/** The people of a store, each read once. */
function storedPeople(store: Store): { readonly seen: Map<string, PersonRecord>; readonly load: LoadPerson } {
  const seen = new Map<string, PersonRecord>();
  const load: LoadPerson = async (id) => {
    const known = seen.get(id);
    if (known !== undefined) return known;
    const row = await store.get('person', { id });
    const record = row && bodyOf<PersonRecord>('person', row);
    if (record !== undefined) seen.set(id, record);
    return record;
  };
  return { seen, load };
}

function nameBy(load: LoadPerson): Users['nameOf'] {
  return async (id) => {
    // `user`: the name of that person in what earlier versions stored.
    if (id === LOCAL.id || id === 'user') return LOCAL.name;
    return id.startsWith(`${ID}_`) ? (await load(id))?.name : undefined;
  };
}

/** The role of an address in the settings, in any case; of several entries the least. */
export function roleOf({ login }: Pick<Settings, 'login'>, email: string): Role | undefined {
  const wanted = email.toLowerCase();
  const roles = login.users.filter((user) => user.email.toLowerCase() === wanted).map(({ role }) => role);
  return ROLES.find((role) => roles.includes(role));
}
