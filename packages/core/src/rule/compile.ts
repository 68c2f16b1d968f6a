import { createEvaluator } from '../cel/index.js';
import { BylawError } from '../errors.js';
import { writeArtefact } from './artefact.js';
import { type Pack, readPack } from './pack.js';
import { type CodeModule, writeCode } from './pack-code.js';
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
  return writeArtefact(await checkedPack(directory, displayAs));
}

async function checkedPack(directory: string, displayAs: string | undefined): Promise<Pack> {
  const { pack, errors } = await readPack(directory, createEvaluator(), displayAs === undefined ? {} : { displayAs });
  if (errors.length > 0) throw new PackError(errors);
  return pack;
}

/** A pack that ships the code of its expressions. */
export interface CompiledPack {
  artefact: string;
  modules: CodeModule[];
}

/**
 * Compiles a folder of rules, and their expressions to JavaScript, which runs wherever the pack is installed: only for packs of this project's own plugins.
 * @throws {PackError} naming every error.
 */
export async function compileBuiltInPack(directory: string, displayAs?: string): Promise<CompiledPack> {
  const pack = await checkedPack(directory, displayAs);
  const { header, modules } = writeCode(pack.rules);
  return { artefact: writeArtefact(pack, header), modules };
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
