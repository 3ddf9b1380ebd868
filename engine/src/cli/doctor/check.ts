/** Result of one check of `callsheet doctor`; `hint` says what to do. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly hint?: string;
}

/** A passed check. */
export function fine(check: string, message: string): Check {
  return { check, status: 'ok', message };
}

/** A check that a person should look at; the part works. */
export function warn(check: string, message: string, hint: string): Check {
  return { check, status: 'warn', message, hint };
}

/** A failed check: the part does not work. */
export function fail(check: string, message: string, hint: string): Check {
  return { check, status: 'fail', message, hint };
}
