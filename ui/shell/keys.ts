import { useLayoutEffect, useRef } from 'preact/hooks';

/** Actions by `event.key`. A pair such as `g r` is two keys, one after the other. */
export type KeyMap = Readonly<Record<string, () => void>>;

const maps: { current: KeyMap }[] = [];
let prefix = '';

/** Binds keys while the component is on the page, from the moment it is shown. If two components bind the same key, the newer one gets it. */
export function useKeys(map: KeyMap): void {
  const own = useRef(map);
  own.current = map;
  useLayoutEffect(() => {
    maps.push(own);
    return () => {
      maps.splice(maps.indexOf(own), 1);
    };
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  );
}

/** The first button on the page whose `aria-keyshortcuts` is the key, if it can be pressed. */
function buttonOf(key: string): HTMLButtonElement | undefined {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[aria-keyshortcuts]:enabled');
  return [...buttons].find((one) => one.getAttribute('aria-keyshortcuts') === key && one.checkVisibility());
}

/**
 * Runs the actions of pressed keys, and presses the buttons that name the key, but not while somebody types, holds a modifier or has a dialog open. Returns a
 * function that stops it.
 */
export function startKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    // A focused button or link keeps its own Enter.
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('button, a, summary'))
      return;
    const pressed = prefix === '' ? event.key : `${prefix} ${event.key}`;
    prefix = '';
    const action = maps.findLast((map) => Object.hasOwn(map.current, pressed))?.current[pressed];
    const button = action === undefined ? buttonOf(pressed) : undefined;
    if (action !== undefined || button !== undefined) {
      event.preventDefault();
      action?.();
      button?.click();
    } else if (maps.some((map) => Object.keys(map.current).some((key) => key.startsWith(`${pressed} `))))
      prefix = pressed;
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
