import type { Snapshot } from '../config/config.ts';
import { type CloudAccount, requiredUsesOf } from './required-scopes.ts';
import { scopesFor } from './scopes.ts';

/** All scopes that a config needs for an account: the fewest that cover every use. */
export function wantedScopes(account: CloudAccount, snapshot: Snapshot): readonly string[] {
  return scopesFor(
    account.provider,
    requiredUsesOf(account, snapshot).map(({ use }) => use),
  );
}
