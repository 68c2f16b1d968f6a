import { gateError } from '../error-table.js';
import { IJsonError, type Json, parseIJson } from '../json/index.js';
import type { Envelope } from '../proposal/index.js';

/** As much as a server takes in one body. */
const MAX_BYTES = 65_536;

/**
 * The bytes that are sent for a command, if a server would accept them.
 * @throws {BylawError} AG-SCH-001, AG-SCH-004
 */
export function bodyOf(envelope: Envelope): { text: string; value: Json } {
  const text = JSON.stringify(envelope);
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES)
    throw gateError('AG-SCH-004', `The proposal is larger than ${MAX_BYTES} bytes. It contains every word of the command twice.`, {
      hint: 'Pass long input to the command in a file or on standard input.',
    });
  try {
    return { text, value: parseIJson(bytes) };
  } catch (error) {
    if (error instanceof IJsonError) throw gateError('AG-SCH-001', `The command cannot be proposed: ${error.message}`);
    throw error;
  }
}
