#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compile-cache.js';
import { endWithLauncher, findNode, isNodeNewEnough, runUnder } from './launcher.js';

if (isNodeNewEnough()) {
  endWithLauncher();
  useCompileCache();
  const { main } = await import('../dist/main.js');
  await main();
} else {
  runUnder(findNode(), ['node', fileURLToPath(import.meta.url), ...process.argv.slice(2)], { tied: true });
}
