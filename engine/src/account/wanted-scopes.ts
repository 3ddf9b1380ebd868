import type { Snapshot } from '../config/config.ts';
import { type AccountTools, type CloudAccount, requiredUsesOf } from './required-scopes.ts';
import { scopesFor } from './scopes.ts';

/** All scopes that a config needs for an account: the fewest that cover every use. */
export function wantedScopes(account: CloudAccount, snapshot: Snapshot, tools: AccountTools): readonly string[] {
  return scopesFor(
    account.provider,
    requiredUsesOf(account, snapshot, tools).map(({ use }) => use),
  );
}
