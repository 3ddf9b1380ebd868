import { useRef } from 'preact/hooks';

/** The value of the newest render, for answers that arrive after it. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
