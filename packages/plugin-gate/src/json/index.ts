/** The ground floor: JSON as the gate reads, writes and digests it, and the one form of its times. */
export { CanonicalText, canonical, isJsonObject, type Json, type JsonObject, type Writable, written } from '@bylaw/core/json';
export { sha256Hex } from './digest.js';
export { foldedName } from './folded-name.js';
export { INSTANT_PATTERN, readInstant } from './instant.js';
export { BOUNDS, IJsonError, parseIJson } from './parse.js';
