import type { InputError, Location } from '../../errors.js';
import type { AnyInput } from './batches.js';

/** What of one side of a comparison could not be read whole. */
export interface UnreadFiles {
  /** Whether something at this place of the other side may have stood in a part of this side that could not be read. */
  mayHold(location: Location | null): boolean;
}

/**
 * The files of a side that have errors. Sides have folders of their own (`main/deploy`, `branch/deploy`), so files are the same if their names below
 * the folder that all files of their side share are. An error without a file may be about anything.
 * @param otherInputs of the other side, whose files are asked about
 */
export function unreadFiles(inputs: readonly AnyInput[], errors: readonly InputError[], otherInputs: readonly AnyInput[]): UnreadFiles {
  const within = belowShared([...filesOf(inputs), ...errors.flatMap(({ location }) => location?.file ?? [])]);
  const withinOther = belowShared(filesOf(otherInputs));
  const everything = errors.some(({ location }) => location === null);
  const names = new Set(errors.flatMap(({ location }) => (location === null ? [] : within(location.file))));
  return {
    mayHold: (location) => everything || (names.size > 0 && (location === null || names.has(withinOther(location.file)))),
  };
}

function filesOf(inputs: readonly AnyInput[]): string[] {
  return inputs.flatMap((input) => ('file' in input ? input.file : []));
}

/** The name of a file below the folder that all of them share; empty for the only one. */
function belowShared(files: readonly string[]): (file: string) => string {
  const [first = '', ...others] = [...new Set(files)];
  let shared = first.split('/');
  for (const file of others) {
    const steps = file.split('/');
    const differs = shared.findIndex((step, index) => step !== steps[index]);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  const prefix = shared.join('/');
  return (file) => (file.startsWith(prefix) ? file.slice(prefix.length).replace(/^\//, '') : file);
}
