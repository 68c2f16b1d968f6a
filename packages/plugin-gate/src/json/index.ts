/** The ground floor: JSON as the gate reads, writes and digests it. */
export { canonical } from './canonical.js';
export { sha256Hex } from './digest.js';
export { isJsonObject, type Json, type JsonObject } from './json.js';
