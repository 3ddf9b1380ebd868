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
