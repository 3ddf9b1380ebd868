import type { Store } from '../../store/store.ts';
import type { Users } from '../access.ts';

/** All that the answers of some routes are made of. A command without a server has that, too, and need not open the rest. */
export interface Rows {
  readonly store: Store;
  readonly users: Pick<Users, 'nameOf'>;
}
