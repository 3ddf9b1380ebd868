/** Names that say that the value is a secret, whatever else they say. */
const SECRET_NAME = /key|token|secret|pass|credential|auth/i;

/** Names of variables that say how programs work, and in which language and place. */
const PLAIN_NAME = new RegExp(
  `^(?:${[
    '.*PATH|PATHEXT|PWD|SHELL|EDITOR|PAGER|DISPLAY|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LANGUAGE|LC_.*|XDG_.*',
    'HOME|USER|LOGNAME|HOSTNAME|TMPDIR|TMP|TEMP|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA',
    'PROGRAMDATA|PROGRAMFILES|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|CI|DEBUG|NODE_ENV|NODE_OPTIONS',
    '.*_(?:HOME|DIR|REGION|LOCATION|MODEL|LEVEL|TIMEOUT|LOCALE)',
  ].join('|')})$`,
  'i',
);

/**
 * The values of these variables that no log, trace or message may show. Only the owner of a variable knows what it holds, so each counts
 * as a secret unless its name is plainly harmless (`PATH`, `HOME`, `LANG`, `TERM`, `NODE_ENV`, `AWS_REGION`, …). Of an address with a
 * password, such as `WAREHOUSE_URL`, also the password alone. The redactor itself leaves out values shorter than 6 characters.
 */
export function secretVariables(
  names: readonly string[],
  env: (name: string) => string | undefined,
): readonly string[] {
  return names.flatMap((name) => {
    const value = env(name) ?? '';
    if (value === '' || (PLAIN_NAME.test(name) && !SECRET_NAME.test(name))) return [];
    const password = URL.parse(value)?.password ?? '';
    return password === '' ? [value] : [value, password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
