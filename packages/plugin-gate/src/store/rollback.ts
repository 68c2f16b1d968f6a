import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '@bylaw/core/plural';
import { type ChainHead, type Checkpoint, newestCheckpoint, treeRoot } from '../evidence/index.js';
import { StoreError } from './store.js';

/** @throws {StoreError} AG-EVD-004 when the newest checkpoint of the folder cannot be read */
export async function readNewest(dir: string): Promise<Checkpoint | undefined> {
  try {
    return (await newestCheckpoint(dir))?.checkpoint;
  } catch (error) {
    throw new StoreError('AG-EVD-004', 'The newest checkpoint cannot be read.', { cause: error });
  }
}

/** Gives the hash of the record of that number; undefined when there is none. */
export type HashAt = (seq: number) => string | undefined | Promise<string | undefined>;

/**
 * Why a chain cannot be the one that the checkpoint was made of: an old backup and a tail that was cut off show here, also once
 * the chain has passed its old length again, because the checkpoint keeps the hash of its last record. Whether the records
 * before that one are still the same is for `store doctor`, which reads them all.
 * Where another process may write meanwhile, read the checkpoint first and the head then: a checkpoint is never older than its head.
 */
export async function contradictionWith(checkpoint: Checkpoint, head: ChainHead | undefined, hashAt: HashAt): Promise<string | undefined> {
  const size = head === undefined ? 0 : head.seq + 1;
  if (checkpoint.size > size)
    return `The newest checkpoint covers ${plural(checkpoint.size, 'record')}, but the chain has ${size}: records are missing.`;
  if (head !== undefined && checkpoint.size === size && checkpoint.root !== treeRoot(head))
    return `The newest checkpoint does not match the chain of ${plural(size, 'record')}.`;
  if (checkpoint.head !== undefined && checkpoint.size > 0 && (await hashAt(checkpoint.size - 1)) !== checkpoint.head)
    return `Record ${checkpoint.size - 1} is not the last record of the newest checkpoint: records are missing or were replaced.`;
  return undefined;
}

/** Puts the checkpoints that contradict the chain out of the comparison: they stay in the folder under another name. */
export async function setAside(dir: string, head: ChainHead, hashAt: HashAt): Promise<void> {
  for (let newest = await readNewest(dir); newest && (await contradictionWith(newest, head, hashAt)); newest = await readNewest(dir)) {
    const size = String(newest.size).padStart(16, '0');
    const taken = new Set(await readdir(dir));
    let name = `${size}.checkpoint.rolled-back`;
    for (let number = 2; taken.has(name); number++) name = `${size}.checkpoint.rolled-back-${number}`;
    await rename(join(dir, `${size}.checkpoint`), join(dir, name));
  }
}
