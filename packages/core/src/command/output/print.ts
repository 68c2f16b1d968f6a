import { useColour } from './colour.js';
import { standardOutput } from './standard-output.js';

/** What the layout of a text may depend on. */
export interface Terminal {
  /** Columns; Infinity where the output is not a terminal, so that nothing is cut. */
  width: number;
  colour: boolean;
}

export function terminal(stream: { isTTY?: boolean; columns?: number } = process.stdout): Terminal {
  return { width: stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY, colour: useColour(stream) };
}

export async function print(text: string): Promise<void> {
  await standardOutput().write(text);
}

/** Prints a result as one line of JSON, the same whether it was made here or by a server. */
export async function printJson(value: unknown): Promise<void> {
  await print(`${JSON.stringify(value)}\n`);
}
