#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { findNode, isNodeNewEnough, runUnder } from './launcher.js';

if (isNodeNewEnough()) {
  nodeModule.enableCompileCache();
  const { main } = await import('../dist/main.js');
  await main();
} else {
  runUnder(findNode(), ['node', fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
}
