import { type Input, kubernetesReader, type OpenOptions, type ReaderPart } from '../../resource/index.js';

/** Objects that were parsed already: they have no text, hence no lines. */
export interface ValueInput {
  file: string;
  values: readonly unknown[];
}

/** Objects that arrive one after another, already parsed, such as those of a kind of a cluster. */
export interface ObjectInput {
  /** Fetched from a cluster by this run. */
  live: boolean;
  /** Each call starts at the first object. More than one is made only where a rule looks at the set and the request does not bring it. */
  objects(): AsyncIterable<unknown>;
}

export type AnyInput = Input | ValueInput | ObjectInput;

/** One thing to read: what a reader gave (a document, a resource, or an error), or an object. */
export type Item = ReaderPart | { type: 'value'; value: unknown; file: string; index: number; live: boolean };

/** Large enough to be worth a message to a worker, small enough that a few of them fit in memory. */
const BATCH_ITEMS = 128;
const BATCH_CHARACTERS = 256 * 1024;

export function isValueInput(input: AnyInput): input is ValueInput {
  return 'values' in input;
}

export function isObjectInput(input: AnyInput): input is ObjectInput {
  return 'objects' in input;
}

/** Bytes of the input where it is a text and they are known, else 0. */
export function sizeOf(input: AnyInput): number {
  return 'size' in input ? (input.size ?? 0) : 0;
}

/** All documents of the inputs in their order, one at a time. Files that a reader takes together appear at the position of the first of them. */
export async function* items(inputs: readonly AnyInput[], options?: OpenOptions): AsyncGenerator<Item, void, void> {
  const grouped = new Set<Input['reader']>();
  for (const input of inputs) {
    if (isValueInput(input))
      for (const [index, value] of input.values.entries()) yield { type: 'value', value, file: input.file, index, live: false };
    else if (isObjectInput(input)) yield* objectItems(input);
    else if (input.reader === undefined) yield* kubernetesReader.read([input], options);
    else if (!grouped.has(input.reader)) {
      grouped.add(input.reader);
      yield* input.reader.read(
        inputs.filter((other): other is Input => 'reader' in other && other.reader === input.reader),
        options,
      );
    }
  }
}

async function* objectItems({ live, objects }: ObjectInput): AsyncGenerator<Item, void, void> {
  let index = 0;
  for await (const value of objects()) yield { type: 'value', value, file: '', index: index++, live };
}

/** Items in batches. */
export async function* batches(all: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item[], void, void> {
  let batch: Item[] = [];
  let characters = 0;
  for await (const item of all) {
    batch.push(item);
    characters += charactersOf(item);
    if (batch.length < BATCH_ITEMS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function charactersOf(item: Item): number {
  if (item.type === 'text') return item.document.text.length;
  if (item.type === 'resource') return textWithin(item.resource.object, BATCH_CHARACTERS);
  return item.type === 'value' && item.live ? textWithin(item.value, BATCH_CHARACTERS) : 1000;
}

/** The text that a value holds, counted until there is as much as the limit: an object of a cluster may be a megabyte, or next to nothing. */
function textWithin(value: unknown, limit: number): number {
  const rest = [value];
  let characters = 0;
  for (let part = rest.pop(); part !== undefined && characters < limit; part = rest.pop()) {
    characters += typeof part === 'string' ? part.length : 8;
    if (typeof part === 'object' && part !== null) rest.push(...Object.values(part));
  }
  return characters;
}
