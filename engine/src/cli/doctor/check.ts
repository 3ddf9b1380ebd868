/** What one check of `callsheet doctor` found; `hint` says what to do about it. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly hint?: string;
}

/** All is well. */
export function fine(check: string, message: string): Check {
  return { check, status: 'ok', message };
}

/** It works, but somebody should look at it. */
export function warn(check: string, message: string, hint: string): Check {
  return { check, status: 'warn', message, hint };
}

/** It does not work. */
export function fail(check: string, message: string, hint: string): Check {
  return { check, status: 'fail', message, hint };
}
