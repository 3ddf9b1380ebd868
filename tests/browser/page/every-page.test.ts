import { expect, test } from 'vitest';
import type { Problem } from '../../../engine/src/config/config.ts';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { axeViolations } from '../fake/axe.ts';
import { describeLongViewer, type Viewer } from '../viewer.ts';
import { layoutFaults } from './layout.ts';
import { PLACES } from './places.ts';

const WIDTHS = [1440, 1024, 390] as const;
const HEIGHT = 900;
const UNSET: Problem = {
  ...{
    severity: 'warning',
    code: 'CONFIG_ENV_UNSET',
    file: 'config/apis/main.yaml',
    line: 7,
    column: 9,
    path: '/apiKey',
  },
  message: 'the environment variable OPENAI_API_KEY is not set, so this API has no key',
  hint: 'set OPENAI_API_KEY in the environment or in the .env file',
};

/** What a browser says of a page besides what it shows: errors of the console, and requests to other origins. */
function listen({ page, api }: Viewer): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') said.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(api.url) && !request.url().startsWith('data:'))
      said.push(`request: ${request.url()}`);
  });
  return said;
}

describeLongViewer('every page', (viewer) => {
  test.each(PLACES)(
    '$at fits at all widths, obeys axe-core in light and dark, and asks nobody else',
    async ({ at, shows }) => {
      const said = listen(viewer);
      const faults: string[] = [];
      viewer.api.world.approvals.push(
        makeApproval({ id: 'appr-old', status: 'denied', decidedBy: 'local', decidedAt: '2026-11-20T09:00:00.000Z' }),
      );
      // What a first start shows besides: nothing is encrypted, and a key is missing.
      viewer.api.world.storage = 'plaintext';
      viewer.api.world.config = { ...viewer.api.world.config, problems: [UNSET] };
      await viewer.page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
      await viewer.open(at);
      await viewer.page.locator(`main ${shows}`).first().waitFor();
      for (const width of WIDTHS) {
        await viewer.page.setViewportSize({ width, height: HEIGHT });
        // The layout of the new width is there after the next frame.
        await viewer.page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        faults.push(...(await layoutFaults(viewer.page)).map((fault) => `${width}: ${fault}`));
        faults.push(...(await axeViolations(viewer.page, 'light')).map((rule) => `${width} light: ${rule}`));
        // The other rules do not see colours.
        faults.push(...(await axeViolations(viewer.page, 'dark', 'colours')).map((rule) => `${width} dark: ${rule}`));
      }
      expect([...faults, ...said]).toEqual([]);
    },
  );
});
