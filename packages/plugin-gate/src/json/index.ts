/** The ground floor: JSON as the gate reads, writes and digests it, and the one form of its times. */
export { CanonicalText, canonical, type Writable, written } from '@bylaw/core/json';
export { sha256Hex } from './digest.js';
export { foldedName } from './folded-name.js';
export { INSTANT_PATTERN, readInstant } from './instant.js';
export { isJsonObject, type Json, type JsonObject } from './json.js';
export { BOUNDS, IJsonError, parseIJson } from './parse.js';
