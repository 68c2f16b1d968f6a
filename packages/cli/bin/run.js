#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compile-cache.js';
import { endWithLauncher, findNode, isNodeNewEnough, runUnder } from './launcher.js';
import { printedVersion } from './version.js';

if (isNodeNewEnough()) {
  endWithLauncher();
  if (!printedVersion(process.argv.slice(2))) {
    useCompileCache();
    const { main } = await import('../lib/main.js');
    await main();
  }
} else {
  runUnder(findNode(), ['node', fileURLToPath(import.meta.url), ...process.argv.slice(2)], { tied: true });
}
