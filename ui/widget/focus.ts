import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Puts the cursor into the field that the reference is given to once it appears, where that is wanted. The browser's own
 * `autofocus` works once a page, and not where a button has the focus: what is typed next would be taken for keys.
 */
export function useFocus<T extends HTMLElement>(isWanted: boolean): RefObject<T | null> {
  const field = useRef<T>(null);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, []);
  return field;
}
