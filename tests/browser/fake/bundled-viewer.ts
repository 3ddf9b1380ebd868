import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const UI = fileURLToPath(new URL('../../../ui', import.meta.url));

let made: Promise<string> | undefined;

/**
 * A copy of the `ui` folder with all modules in `main.ts`, made once for the tests of this process. A new page with two hundred
 * modules takes two seconds of processor time, and there are hundreds of pages. Tests on the real server load the modules.
 */
export function bundledViewer(): Promise<string> {
  return (made ??= bundle());
}

async function bundle(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-viewer-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const build = await rolldown({ input: join(UI, 'main.ts'), platform: 'browser', logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  cpSync(UI, dir, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  writeFileSync(join(dir, 'main.ts'), output[0].code);
  return dir;
}
