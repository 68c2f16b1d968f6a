import { serveOperation } from '@bylaw/core/operation';
import { OPERATIONS } from './operations.js';

// The entry of a thread.
serveOperation(OPERATIONS);
