import { EngineError } from '../../../base/error.ts';
import type { CommandContext } from '../../context.ts';

/** Fewest characters of a token: any program of this machine can try tokens. */
const MIN_LENGTH = 16;

/** The token that the user set in `CALLSHEET_TOKEN`; undefined without one. `USAGE` if it is too short. */
export function readToken({ env }: Pick<CommandContext, 'env'>): string | undefined {
  const token = env('CALLSHEET_TOKEN') ?? '';
  if (token === '') return undefined;
  if (token.length >= MIN_LENGTH) return token;
  throw new EngineError(
    'USAGE',
    `CALLSHEET_TOKEN has ${token.length} characters, and at least ${MIN_LENGTH} are needed`,
    {
      hint: 'make one with: openssl rand -base64 24; or unset it, and each start makes a token of its own',
    },
  );
}
