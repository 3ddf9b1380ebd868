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

/** The key of the main button of a form or dialog, also while somebody types. */
export const MAIN_KEY = 'Control+Enter Meta+Enter';

/** How a tooltip names a key. */
const NAMES: Readonly<Record<string, string>> = { [MAIN_KEY]: 'Ctrl+Enter, ⌘+Enter', Escape: 'Esc' };

interface Keyed {
  readonly 'title': string | undefined;
  readonly 'aria-keyshortcuts': string | undefined;
  readonly 'data-near'?: boolean;
}

/** Attributes of a button that a key presses; its tooltip is the label with the key. Without a key it has neither. */
export function keyed(key: string | undefined, label: string): Keyed {
  return { 'title': key && `${label} (${NAMES[key] ?? key})`, 'aria-keyshortcuts': key };
}

/** The same for a button of one row, card or form among others: the key presses it only while the focus is in that part. */
export function nearKeyed(key: string | undefined, label: string): Keyed {
  return { ...keyed(key, label), 'data-near': true };
}

/** The key of the n-th of some buttons, from 0; the tenth and later ones have none. */
export const digitOf = (n: number): string | undefined => (n < 9 ? String(n + 1) : undefined);

/** The parts of a page that a button can belong to. */
const PARTS = 'li, tr, article, fieldset, details, form, section, [role=group]';

/** The button that a key presses: first one in the innermost part that has the focus, then the first of the page or dialog. */
function buttonOf(key: string): { near?: HTMLButtonElement; first?: HTMLButtonElement } {
  const scope = document.querySelector('dialog[open]') ?? document;
  const focused = document.activeElement === document.body ? null : document.activeElement;
  let first: HTMLButtonElement | undefined;
  let near: { readonly button: HTMLButtonElement; readonly part: Element } | undefined;
  for (const button of scope.querySelectorAll<HTMLButtonElement>('button[aria-keyshortcuts]:enabled')) {
    if (button.getAttribute('aria-keyshortcuts')?.split(' ').includes(key) !== true || !button.checkVisibility())
      continue;
    const part = button.closest(PARTS);
    if (!('near' in button.dataset)) first ??= button;
    if (part === null || focused === null || !part.contains(focused)) continue;
    if (near === undefined || (near.part !== part && near.part.contains(part))) near = { button, part };
  }
  return { ...(near !== undefined && { near: near.button }), ...(first !== undefined && { first }) };
}

/**
 * Runs the actions of pressed keys, and presses the buttons that name the key. Letters only while nobody types; while a dialog is open
 * only its buttons. Returns a function that stops it.
 */
export function startKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented || event.isComposing) return;
    const press = (button: HTMLButtonElement | undefined) => {
      if (button === undefined) return false;
      event.preventDefault();
      button.click();
      return true;
    };
    if (event.ctrlKey || event.metaKey) {
      const { near, first } = buttonOf(`${event.metaKey ? 'Meta' : 'Control'}+${event.key}`);
      press(near ?? first);
      return;
    }
    const isDialog = document.querySelector('dialog[open]') !== null;
    // The browser closes a dialog, and fields have an Esc of their own.
    if (event.key === 'Escape' && isDialog) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape') press(buttonOf('Escape').near);
      return;
    }
    // A focused button or link keeps its own Enter.
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('button, a, summary'))
      return;
    const pressed = prefix === '' ? event.key : `${prefix} ${event.key}`;
    prefix = '';
    const { near, first } = buttonOf(pressed);
    if (isDialog) return void press(near ?? first);
    const action = maps.findLast((map) => Object.hasOwn(map.current, pressed))?.current[pressed];
    if (press(near)) return;
    if (action !== undefined) {
      event.preventDefault();
      action();
    } else if (
      !press(first) &&
      maps.some((map) => Object.keys(map.current).some((key) => key.startsWith(`${pressed} `)))
    )
      prefix = pressed;
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
