import { stat } from 'node:fs/promises';
import { BylawError } from '../../errors.js';

/**
 * Refuses to write a result over a file that it is made of: `--html bill.csv` is a slip, and the bill would be gone.
 * @param inputs as flags and arguments name them; what is no file, such as a pattern, is passed over
 * @throws {BylawError} `output-unwritable`
 */
export async function refuseInput(output: string | undefined, inputs: readonly (string | undefined)[]): Promise<void> {
  const place = output === undefined ? undefined : await fileAt(output);
  if (place === undefined) return;
  for (const input of inputs) {
    const file = input === undefined ? undefined : await fileAt(input);
    if (file && file.dev === place.dev && file.ino === place.ino)
      throw new BylawError('output-unwritable', `${output} is an input: it would be overwritten.`, { hint: 'Name another file.' });
  }
}

async function fileAt(path: string) {
  const status = await stat(path).catch(() => undefined);
  return status?.isFile() ? status : undefined;
}
