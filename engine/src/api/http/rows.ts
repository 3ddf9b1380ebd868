import type { Store } from '../../store/store.ts';
import type { Users } from '../access.ts';
import type { WithQuery } from './query.ts';

/** All that the answers of some routes are made of. A command without a server has that, too, and need not open the rest. */
export interface Rows {
  readonly store: Store;
  readonly users: Pick<Users, 'nameOf'>;
}

/** What has the parameters of a path, such as `:id`, and of a query. */
export interface WithPath extends WithQuery {
  readonly params: Readonly<Record<string, string | undefined>>;
}
