/** Variables that every tool gets, where they are set: how it finds programs, its own files, the language and temporary folders. */
const SHARED = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR'],
  ...['LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME'],
];

/** The same on Windows, where few programs start without them. */
const ON_WINDOWS = [
  ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP'],
];

/**
 * The whole environment of a tool: the path, home, user, locale and temporary folder, and the variables that `named` names. A
 * variable that is not set is left out.
 */
export function cliEnvironment(
  env: (name: string) => string | undefined,
  named: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const names = new Set([...SHARED, ...(platform === 'win32' ? ON_WINDOWS : []), ...named]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = env(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
