import { IJsonError, type Json, parseIJson } from '../json/index.js';
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
