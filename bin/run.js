#!/usr/bin/env node
import '@bylaw/cli/bin/run.js';
