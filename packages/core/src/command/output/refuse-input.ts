import { stat } from 'node:fs/promises';
import { BylawError } from '../../errors.js';
import type { AnyInput } from '../../evaluate/index.js';
import { outputPlace } from './output-place.js';

/**
 * Refuses to write a result over a file that it is made of: `--html bill.csv` is a slip, and the bill would be gone.
 * @param inputs as flags and arguments name them; what is not a file, such as a pattern, is passed over
 * @throws {BylawError} `output-unwritable`
 */
export async function refuseInput(output: string | undefined, inputs: readonly (string | undefined)[]): Promise<void> {
  const place = output === undefined ? undefined : await fileAt(await outputPlace(output));
  if (place === undefined) return;
  for (const input of inputs) {
    const file = input === undefined ? undefined : await fileAt(input);
    if (file && file.dev === place.dev && file.ino === place.ino)
      throw new BylawError('output-unwritable', `${output} is also an input and would be overwritten.`, {
        hint: 'Choose a different output file.',
      });
  }
}

async function fileAt(path: string) {
  const status = await stat(path).catch(() => undefined);
  return status?.isFile() ? status : undefined;
}

/**
 * Refuses to write a result over a manifest that the run reads. A report of an earlier run in the same folder is not one, and may be replaced.
 * @param inputs of the run
 * @throws {BylawError} `output-unwritable`
 */
export async function refuseManifest(output: string | undefined, inputs: readonly AnyInput[]): Promise<void> {
  const place = output === undefined ? undefined : await outputPlace(output);
  const input = inputs.find((one) => 'path' in one && place !== undefined && one.path === place);
  if (input && (await holdsResource(input)))
    throw new BylawError('output-unwritable', `${output} is also an input and would be overwritten.`, {
      hint: 'Choose a different output file.',
    });
}

async function holdsResource(input: AnyInput): Promise<boolean> {
  const { items, readItem } = await import('../../evaluate/index.js'); // every command loads this file, few need the engine
  for await (const item of items([input])) if (readItem(item).resources.length > 0) return true;
  return false;
}
