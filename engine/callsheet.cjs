#!/usr/bin/env node
// Starts Callsheet from its bundle, or else from its sources. It is no TypeScript, since Node needs longer to load what
// strips types than to print the help.
const { enableCompileCache } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { CACHE, findBundle, openBundle } = require('./bundle.cjs');

/** The oldest Node that runs the engine. */
const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  const found = `callsheet: needs Node ${OLDEST} or newer, and this is ${process.versions.node}`;
  console.error(`${found}; npx callsheet and npm start bring one of their own`);
  process.exitCode = 2;
} else start();

function start() {
  enableCompileCache(join(CACHE, 'code'));
  const [first, ...more] = process.argv.slice(2);
  const bundle = findBundle({ isHelp: first === '--help' && more.length === 0 });
  if (bundle === undefined) void import('./src/main.ts');
  else openBundle(dirname(bundle)).load(basename(bundle));
}
