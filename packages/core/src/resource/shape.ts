import type { JsonObject } from './resource.js';

export function dropMalformed(_object: JsonObject, _report: (pointer: string, message: string) => void): void {}
