#!/usr/bin/env node
// Starts Callsheet from its bundle, or else from its sources. It is no TypeScript, since Node needs longer to load what
// strips types than to print the help.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { CACHE, findBundle } = require('./bundle.cjs');

enableCompileCache(join(CACHE, 'code'));
const [first, ...more] = process.argv.slice(2);
const bundle = findBundle({ isHelp: first === '--help' && more.length === 0 });
if (bundle === undefined) void import('./src/main.ts');
else require(bundle);
