#!/usr/bin/env node
/** `node bin/with-node.js COMMAND…` runs the command with a Node of the version that this repository needs first on PATH. */
import { findNode, runUnder } from '../packages/cli/bin/launcher.js';

runUnder(findNode(), process.argv.slice(2));
