import { resolve } from 'node:path';
import type { InputError } from '@bylaw/core/errors';
import {
  type Input,
  isInputError,
  isObject,
  type JsonValue,
  parseDocuments,
  type SourceDocument,
  splitDocuments,
  textInput,
} from '@bylaw/core/resource';
import { takeMarks } from './patch-marks.js';

/** https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/buildmetadata/ */
const ORIGIN = 'config.kubernetes.io/origin';

export interface OriginNames {
  /** The folder that was built: the paths of origins start there. */
  folder: string;
  /** The name under which the user knows a file. */
  nameOf(path: string): string;
  /** The file for what comes from nowhere that the user has. */
  otherwise: string;
  /** The name of the kustomization. */
  rendered: string;
}

/**
 * The objects of a build with origin annotations, by the files that they were made from, sorted by name, and the positions of the patches that marked
 * them; the annotations are taken out again. Parts that cannot be read are left for whoever reads the inputs.
 */
export async function inputsByOrigin(
  output: string,
  names: OriginNames,
): Promise<{ inputs: Input[]; errors: InputError[]; applied: ReadonlySet<number> }> {
  const applied = new Set<number>();
  const texts = new Map<string, string[]>();
  const errors: InputError[] = [];
  for await (const part of splitDocuments(textInput(names.otherwise, output, { rendered: names.rendered }))) {
    if (isInputError(part)) {
      errors.push(part);
      continue;
    }
    const { file, text, marks } = withoutOrigin(part, names);
    for (const mark of marks) applied.add(mark);
    const known = texts.get(file);
    if (known === undefined) texts.set(file, [text]);
    else known.push(text);
  }
  const inputs = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, documents]) => textInput(file, documents.map((text) => `---\n${text}\n`).join(''), { rendered: names.rendered }));
  return { inputs, errors, applied };
}

function withoutOrigin(document: SourceDocument, names: OriginNames): { file: string; text: string; marks: readonly number[] } {
  const asIs = { file: names.otherwise, text: document.text, marks: [] };
  const value = parsedValue(document);
  if (!isObject(value) || !isObject(value.metadata) || !isObject(value.metadata.annotations)) return asIs;
  const { annotations } = value.metadata;
  const origin = Object.hasOwn(annotations, ORIGIN) ? annotations[ORIGIN] : undefined;
  if (typeof origin !== 'string') return asIs;
  delete annotations[ORIGIN];
  const marks = takeMarks(annotations);
  if (Object.keys(annotations).length === 0) delete value.metadata.annotations;
  return { file: fileOf(origin, names), text: JSON.stringify(value), marks };
}

/** `path`, or for what a generator made `configuredIn`; with `repo` it is a file of another repository. */
function fileOf(origin: string, { folder, nameOf, otherwise }: OriginNames): string {
  const value = parsedValue({ file: '', index: 0, text: origin, line: 1 });
  if (!isObject(value) || Object.hasOwn(value, 'repo')) return otherwise;
  const path = value.path ?? value.configuredIn;
  return typeof path === 'string' ? nameOf(resolve(folder, path)) : otherwise;
}

function parsedValue(document: SourceDocument): JsonValue | undefined {
  try {
    return parseDocuments(document)[0]?.value;
  } catch {
    return undefined;
  }
}
