// Makes the bundle that `engine/callsheet.cjs` starts, and the compiled code of it, in node_modules/.cache/callsheet, and the
// bundle of the viewer. Does nothing if a bundle is that of the sources, or if the bundler is not installed: then the sources run.
import { createRequire } from 'node:module';
import { bundleEngine } from './engine-bundle.mjs';
import { bundleViewer } from './viewer-bundle.mjs';
import { warmUp } from './warm-up.mjs';

const { CACHE, HOME, MANIFEST, findBundle } = createRequire(import.meta.url)('../engine/bundle.cjs');
const loadBundler = () => import('rolldown').catch(() => undefined);

if (findBundle() === undefined) {
  const bundler = await loadBundler();
  if (bundler !== undefined)
    await bundleEngine(bundler, {
      ...{ input: 'engine/src/main.ts', prefix: 'bundle-', manifest: MANIFEST },
      async warmUp(load, parts) {
        const program = parts.find(({ name }) => name === 'program');
        if (program !== undefined) await warmUp(load(program.fileName));
      },
    });
}
await bundleViewer({ home: HOME, cache: CACHE, loadBundler });
