import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Returns a reference for a field; if `isWanted`, the field gets the focus when it appears. The browser's `autofocus`
 * works only once per page, and not while a button has the focus: typed letters would then run key actions.
 */
export function useFocus<T extends HTMLElement>(isWanted: boolean): RefObject<T | null> {
  const field = useRef<T>(null);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, []);
  return field;
}

/** Returns a reference for a form: after each of `tries` the first field of it that is not accepted gets the focus. */
export function useInvalidFocus<T extends HTMLElement>(tries: number): RefObject<T | null> {
  const form = useRef<T>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return form;
}
