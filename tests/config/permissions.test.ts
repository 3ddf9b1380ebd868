import { expect, test } from 'vitest';
import { permissionOf } from '../../engine/src/config/permissions.ts';
import { checkPermission, type Permissions } from '../../engine/src/guard/permissions.ts';

const GLOBS = [undefined, ['mail_send'], ['mail_*'], ['*'], ['calendar_*']];
const EVERY: (Permissions | undefined)[] = [
  undefined,
  ...GLOBS.flatMap((allow) =>
    GLOBS.flatMap((ask) =>
      GLOBS.map((deny) => ({ ...(allow && { allow }), ...(ask && { ask }), ...(deny && { deny }) })),
    ),
  ),
];

test.each(['read', 'write'] as const)(
  'of a tool that does a %s, config says beforehand what the guard will say',
  (effects) => {
    for (const permissions of EVERY) {
      const { verdict } = checkPermission({ name: 'mail_send', effects, isOurs: false }, [
        { who: 'director boss', permissions },
      ]);
      const { allow = [], ask = [], deny = [] } = permissions ?? {};
      const known = permissions && { allow: [...allow], ask: [...ask], deny: [...deny] };
      expect([permissions, permissionOf(known, 'mail_send', effects)]).toEqual([permissions, verdict]);
    }
  },
);
