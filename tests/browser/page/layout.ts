import type { Page } from 'playwright-core';

/**
 * What is cut off or overlaps on the shown page, one line for each: text that a clipping ancestor or the window cuts, and texts,
 * buttons or fields on top of each other, or text in a column of a few letters. Text that ends with `…` (`text-overflow`) and parts that scroll are not cut; what floats
 * above the page (dialogs, toasts) may cover it.
 */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(findFaults);
}

/** Runs in the page, so it can use nothing from outside. */
function findFaults(): string[] {
  /** Pixels that a glyph may reach over its box. */
  const SLACK = 2;
  /** Characters of a text that needs more room than that of a few letters. */
  const SQUEEZED = 20;
  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  interface Part {
    readonly element: Element;
    readonly name: string;
    readonly box: Box;
  }
  const faults = new Set<string>();
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const width = ({ left, right }: Box) => right - left;
  const height = ({ top, bottom }: Box) => bottom - top;
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const isLeftOut = (element: Element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { position, visibility, clipPath, opacity } = styleOf(at);
      if (position === 'fixed' || position === 'sticky' || visibility === 'hidden') return true;
      // `inset(50%)` hides what only screen readers read.
      if (clipPath !== 'none' || opacity === '0' || at.tagName === 'DIALOG' || at.tagName === 'svg') return true;
    }
    return !element.checkVisibility({ contentVisibilityAuto: true });
  };
  /** The part of a box that can be seen; notes what cuts it for good. */
  const seen = (element: Element, box: Box, name: string): Box => {
    let rest = box;
    let scrolls = { x: false, y: false };
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const frame = at.getBoundingClientRect();
      const ends = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
      const cut = meet(rest, frame);
      const isCutX = width(rest) - Math.max(0, width(cut)) > SLACK;
      const isCutY = height(rest) - Math.max(0, height(cut)) > SLACK;
      const may = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      scrolls = { x: scrolls.x || may(overflowX) || ends, y: scrolls.y || may(overflowY) || ends };
      if (isCutX && !scrolls.x && overflowX !== 'visible') faults.add(`cut off: ${name}`);
      if (isCutY && !scrolls.y && overflowY !== 'visible') faults.add(`cut off: ${name}`);
      rest = cut;
    }
    const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (!scrolls.x && width(rest) > 0 && (rest.left < -SLACK || rest.right > innerWidth + SLACK))
      faults.add(`outside the window: ${name}`);
    return meet(rest, window);
  };
  const parts: Part[] = [];
  const add = (element: Element, box: Box, text: string) => {
    if (box.right - box.left < 1 || box.bottom - box.top < 1) return;
    const where = element.className === '' ? '' : `.${String(element.className).trim().replaceAll(/\s+/g, '.')}`;
    const name = `${element.tagName.toLowerCase()}${where} "${text.trim().replaceAll(/\s+/g, ' ').slice(0, 40)}"`;
    const shown = seen(element, box, name);
    if (width(shown) > 1 && height(shown) > 1) parts.push({ element, name, box: shown });
  };
  const CONTROLS = 'button, input, textarea, select';
  for (const element of document.querySelectorAll(CONTROLS))
    if (!isLeftOut(element)) {
      const text = element.textContent || element.getAttribute('aria-label') || element.getAttribute('placeholder');
      add(element, element.getBoundingClientRect(), text ?? '');
    }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (element === null || (node.textContent ?? '').trim() === '' || isLeftOut(element)) continue;
    range.selectNodeContents(node);
    const { width: room, height: tall } = range.getBoundingClientRect();
    const text = (node.textContent ?? '').trim();
    // A column that is much too narrow breaks words into pieces of a few letters.
    if (text.length >= SQUEEZED && room < Number.parseFloat(styleOf(element).fontSize) * 4 && tall > room * 3)
      faults.add(`squeezed: ${element.tagName.toLowerCase()} "${text.slice(0, 40)}"`);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      // The box of a line has room above and below its letters, where lines may touch.
      const room = (bottom - top) / 6;
      add(element, { left, top: top + room, right, bottom: bottom - room }, node.textContent ?? '');
    }
  }
  parts.sort((a, b) => a.box.top - b.box.top);
  for (const [i, a] of parts.entries())
    for (let j = i + 1; j < parts.length; j++) {
      const b = parts[j];
      if (b === undefined || b.box.top >= a.box.bottom) break;
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const both = meet(a.box, b.box);
      if (width(both) > SLACK && height(both) > SLACK) faults.add(`overlap: ${a.name} and ${b.name}`);
    }
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.add('the page is wider than the window');
  return [...faults];
}
