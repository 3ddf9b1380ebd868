import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

let source: Promise<string> | undefined;

/** The rules whose result depends on colours. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** The rules of axe-core that the shown page breaks in a theme, each with its elements: all rules, or those of `only`. */
export async function axeViolations(page: Page, theme: string, only?: 'colours'): Promise<readonly string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source);
  await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
  // Colours change slowly with the theme; axe must see the final ones.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map((one) => one.finished),
    ),
  );
  const options = {
    ...{ iframes: false, resultTypes: ['violations'] },
    ...(only === 'colours' && { runOnly: { type: 'rule', values: OF_COLOUR } }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`);
}

/** Texts of the elements that reach beyond the width of the window. */
export function cutOff(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < -0.5 || right > innerWidth + 0.5;
      })
      .map((element) => element.textContent ?? ''),
  );
}
