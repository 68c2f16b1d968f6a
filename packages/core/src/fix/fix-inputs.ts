import type { Clock } from '../clock.js';
import { type AnyInput, type EvaluationRequest, items, planOf, projectionPlan, readProjections, select } from '../evaluate/index.js';
import { type Input, isInputError, splitDocuments } from '../resource/index.js';
import { type Catalogue, isFixable } from '../rule/index.js';
import { fixDocument } from './fix-document.js';
import { type FileFix, fixFile } from './fix-file.js';
import type { Fixer } from './fix-resource.js';
import { newFixer } from './fixer.js';

/** What to fix, and by which rules. */
export interface FixRequest
  extends Pick<
    EvaluationRequest,
    'filter' | 'exceptionsFrom' | 'exceptions' | 'baseline' | 'unmerged' | 'accepted' | 'namespace' | 'packSettings'
  > {
  inputs: readonly AnyInput[];
  /** Whether to make edits, too, that can stop a workload. */
  unsafe?: boolean;
}

/** What is fixed in one input. */
export interface InputFix extends FileFix {
  input: Input;
  /** The bytes as they were read, where they were read as a whole. */
  bytes?: Uint8Array;
}

/**
 * Fixes what can be fixed in the inputs, one after another, and writes nothing: the new text of each is in the answer. Only regular files get
 * one. Suppressed findings are left alone.
 * @throws {BylawError} for unknown names in the filter
 */
export async function* fixInputs(catalogue: Catalogue, request: FixRequest, clock: Clock): AsyncGenerator<InputFix, void, void> {
  const rules = select(catalogue, request.filter);
  if (!rules.some(isFixable)) return;
  const { filter: _, inputs, unsafe = false, ...evaluation } = request;
  const { projections } = await readProjections(projectionPlan(rules), items(inputs));
  const plan = planOf(catalogue, rules, evaluation, clock, { projections, complete: false, collectKeys: false });
  const fixer = newFixer(catalogue, rules, plan, unsafe);
  for (const input of inputs) if ('open' in input) yield { input, ...(await fixInput(input, fixer)) };
}

/** A larger file would have to be held in memory several times over. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

async function fixInput(input: Input, fixer: Fixer): Promise<FileFix & { bytes?: Uint8Array }> {
  const reason = whyNot(input);
  if (reason !== undefined) return lookAt(input, fixer, reason);
  const bytes = await readBytes(input);
  if (bytes === undefined) return { fixed: [], unfixed: [] };
  if (bytes.length > MAX_FILE_BYTES) return lookAt(input, fixer, 'its file is larger than 128 MiB');
  return { ...(await fixFile(input, bytes, fixer)), bytes };
}

function whyNot({ rendered, path, size = 0 }: Input): string | undefined {
  if (rendered !== undefined) return `it was rendered from ${rendered}, which must be changed instead`;
  if (path === undefined) return 'it was not read from a file';
  return size > MAX_FILE_BYTES ? 'its file is larger than 128 MiB' : undefined;
}

async function lookAt(input: Input, fixer: Fixer, whyNot: string): Promise<FileFix> {
  let unfixed: FileFix['unfixed'] = [];
  for await (const part of splitDocuments(input))
    if (!isInputError(part)) unfixed = unfixed.concat(fixDocument(part, { explicit: input.explicit, whyNot }, fixer).unfixed);
  return { fixed: [], unfixed };
}

/** Undefined for a file that cannot be read: the evaluation tells about it. */
async function readBytes(input: Input): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of input.open()) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
