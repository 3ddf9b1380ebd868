import { useState } from 'preact/hooks';
import type { FormContext } from './context.ts';

/** Whether a text box of a form holds a text that is no value yet, and the function by which the boxes say so. */
export function useUnready(): readonly [hasUnready: boolean, setUnready: FormContext['setUnready']] {
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  // From the set as it is then: two boxes may say so before the form is shown again.
  const setUnready = (path: string, isOn: boolean) =>
    setPaths((now) => new Set(isOn ? [...now, path] : [...now].filter((other) => other !== path)));
  return [paths.size > 0, setUnready];
}
