/** JSON values, and the one text of each (RFC 8785). */
export { type CanonicalOptions, CanonicalText, canonical, type Writable, written } from './canonical.js';
export { isJsonObject, type Json, type JsonObject } from './json.js';
