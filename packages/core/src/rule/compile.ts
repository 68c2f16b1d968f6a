import { createEvaluator } from '../cel/index.js';
import { BylawError } from '../errors.js';
import { writeArtefact } from './artefact.js';
import { type Pack, readPack } from './pack.js';
import type { RuleFolder } from './rule-folder.js';

/** A rule pack that does not compile: every error of every file. */
export class PackError extends Error {
  override readonly name = 'PackError';

  constructor(readonly errors: readonly BylawError[]) {
    super(errors.map(describe).join('\n'));
  }
}

/**
 * Compiles a folder of rules into the text of its artefact: same folder, same bytes.
 * @throws {PackError} naming every error.
 */
export async function compilePack(directory: string, displayAs?: string): Promise<string> {
  const { pack, errors } = await readPack(directory, createEvaluator(), displayAs === undefined ? {} : { displayAs });
  if (errors.length > 0) throw new PackError(errors);
  return writeArtefact(pack);
}

/**
 * Reads and compiles a folder of custom rules.
 * @throws {PackError} naming every error; {BylawError} `path-not-found`, `no-manifests`
 */
export async function readCustomPack(directory: string | RuleFolder): Promise<Pack> {
  const { pack, errors } = await readPack(directory, createEvaluator(), { custom: true });
  if (errors.length > 0) throw new PackError(errors);
  if (pack.rules.length === 0)
    throw new BylawError(
      'no-manifests',
      `The rule folder ${typeof directory === 'string' ? directory : directory.name} contains no rule file (*.yaml).`,
      {
        hint: 'Add rule files with one rule per file.',
      },
    );
  return pack;
}

function describe(error: BylawError): string {
  const at = error.location ? `${error.location.file}:${error.location.line}:${error.location.column}: ` : '';
  return `${at}${error.message}`;
}
