export { isJsonObject, type Json, type JsonObject } from '@bylaw/core/json';
