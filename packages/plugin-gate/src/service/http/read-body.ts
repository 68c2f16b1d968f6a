import { IJsonError, type Json, type JsonObject, parseIJson } from '../../json/index.js';
import { gateProblem } from './problems.js';

/** @throws {HttpProblem} AG-SCH-001 */
export function readBody(body: Uint8Array): Json {
  try {
    return parseIJson(body);
  } catch (error) {
    // The message is one of ours, without a piece of the body.
    if (error instanceof IJsonError) throw gateProblem('AG-SCH-001', { detail: error.message });
    throw error;
  }
}

/** Says of an object of one of our interfaces that it is JSON. All of their members are; TypeScript gives interfaces no index signature. */
export function asJson<T extends object>(value: T & { [name in keyof T]: unknown }): JsonObject {
  return value as unknown as JsonObject;
}
