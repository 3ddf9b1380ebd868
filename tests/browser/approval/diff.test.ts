import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { describeLongViewer } from '../viewer.ts';

const CHANGE = `--- notes/reaction.md
+++ notes/reaction.md
@@ -1,4 +1,4 @@
 # Reaction
 
-The mixture was heated to 60 °C.
+The mixture was heated to 65 °C for ten minutes, until it was clear; a sample was taken before and after, and both were kept.
 Yield: <b>82 %</b>
`;

describeLongViewer('the approval of a change of a file', (viewer) => {
  test('shows what changes, line by line, and runs nothing of it', async () => {
    viewer.api.world.approvals = [
      makeApproval({
        title: { action: 'Replace the file', target: '/notes/reaction.md' },
        tool: 'notebook_write_file',
        arguments: { path: '/notes/reaction.md', content: 'long' },
        preview: { mimeType: 'text/x-diff', data: CHANGE },
      }),
    ];
    await viewer.open('approvals');
    await viewer.page.getByRole('heading', { name: 'Replace the file /notes/reaction.md' }).waitFor();
    const diff = viewer.page.getByRole('group', { name: 'What changes in the file' });
    await diff.waitFor();
    expect(await diff.locator('.added').allTextContents()).toEqual([expect.stringContaining('65 °C')]);
    expect(await diff.locator('.removed').allTextContents()).toEqual(['-The mixture was heated to 60 °C.']);
    expect(await diff.locator('b').count()).toBe(0);
    for (const width of [1440, 1024, 390]) {
      await viewer.page.setViewportSize({ width, height: 700 });
      expect(await viewer.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
