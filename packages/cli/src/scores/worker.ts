import { serveOperation } from '@bylaw/core/operation';
import { SCORE_OPERATIONS } from './operations.js';

// The entry of a thread.
serveOperation(SCORE_OPERATIONS);
