/** The ground floor: JSON as the gate reads, writes and digests it, and the one form of its times. */
export { CanonicalText, canonical, sha256Hex, type Writable, written } from './canonical.js';
export { foldedName } from './folded-name.js';
export { INSTANT_PATTERN, readInstant } from './instant.js';
export { isJsonObject, type Json, type JsonObject } from './json.js';
export { BOUNDS, IJsonError, parseIJson } from './parse.js';
