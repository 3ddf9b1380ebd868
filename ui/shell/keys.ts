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

/** The keys that act again while they are held: they only move. Any other key would act on what its first press made room for. */
const MOVES: readonly string[] = ['j', 'k'];

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

/** The parts of a page that a button can belong to; `data-part` marks one that no element or role tells. */
const PARTS = 'li, tr, article, fieldset, details, form, section, dialog, [role=group], [data-part]';

/** The part of a button: for one of a `Choice` the innermost one around it that has the focus, such as the card that it stands in. */
function partOf(button: Element, focused: Element): Element | null | undefined {
  let part: Element | null | undefined = button.closest(PARTS);
  if (part?.matches('[data-choice]') === true)
    while (part?.contains(focused) === false) part = part.parentElement?.closest(PARTS);
  return part;
}

/**
 * The button that a key presses: `near` is the one that has the focus, or the one of the innermost part that has it; `first` is the
 * first of the page or dialog. A main button, and one of a row, is `near` also while it is disabled: no other one stands in for it.
 */
function buttonOf(key: string): { near?: HTMLButtonElement; first?: HTMLButtonElement } {
  const scope = document.querySelector('dialog[open]') ?? document;
  const focused = document.activeElement === document.body ? null : document.activeElement;
  let first: HTMLButtonElement | undefined;
  let near: { readonly button: HTMLButtonElement; readonly part: Element } | undefined;
  for (const button of scope.querySelectorAll<HTMLButtonElement>('button[aria-keyshortcuts]')) {
    const keys = button.getAttribute('aria-keyshortcuts');
    if (keys?.split(' ').includes(key) !== true || !button.checkVisibility()) continue;
    const isOfRow = 'near' in button.dataset;
    if (button.disabled && !isOfRow && keys !== MAIN_KEY) continue;
    if (button === focused) return { near: button };
    if (!isOfRow && !button.disabled) first ??= button;
    if (focused === null) continue;
    const part = partOf(button, focused);
    if (part?.contains(focused) !== true) continue;
    const isBetter =
      near === undefined || (near.part === part ? near.button.disabled && !button.disabled : near.part.contains(part));
    if (isBetter) near = { button, part };
  }
  return { ...(near !== undefined && { near: near.button }), ...(first !== undefined && { first }) };
}

/**
 * Runs the actions of pressed keys, and presses the buttons that name the key. While somebody types no letters, and only the main button of
 * the form around the field; while a dialog is open only its buttons. Returns a function that stops it.
 */
export function startKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented || event.isComposing) return;
    if (event.repeat && !MOVES.includes(event.key)) return;
    const press = (button: HTMLButtonElement | undefined) => {
      if (button === undefined) return false;
      event.preventDefault();
      button.click();
      return true;
    };
    if (event.ctrlKey || event.metaKey) {
      const { near, first } = buttonOf(`${event.metaKey ? 'Meta' : 'Control'}+${event.key}`);
      // What is typed belongs to one form: the button of another one would send something else.
      press(isTyping(event.target) ? near : (near ?? first));
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
