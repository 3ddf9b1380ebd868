import { setFlagsFromString } from 'node:v8';

/** Longest time without them. Work that takes longer is repeated often enough that compiled code makes up for the compiling. */
const MOST_MS = 300;

/**
 * Delays the optimising compilers of V8 until `release` is called or `MOST_MS` have passed. A command that ends sooner uses little of
 * what they make, and they take a fifth of its processor time, in threads of their own. Code that is loaded meanwhile has to be compiled:
 * the stored code of the bundle is only accepted where the flags of V8 are the same.
 */
export function delayCompilers(): { release(): void } {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  const release = () => {
    clearTimeout(timer);
    setFlagsFromString('--opt');
    setFlagsFromString('--maglev');
  };
  const timer = setTimeout(release, MOST_MS).unref();
  return { release };
}

/** Flags about compilers. To turn one on that `--jitless` excludes would end the process. */
const ABOUT_COMPILERS = /^--.*(?:jitless|lite|opt|maglev|turbo)/;

/** Whether nobody chose flags of V8 about compilers for this process. */
export function mayDelayCompilers({
  execArgv,
  env,
}: {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}): boolean {
  return ![...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)].some((flag) => ABOUT_COMPILERS.test(flag));
}
