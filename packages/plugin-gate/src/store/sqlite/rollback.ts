import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChainHead, type Checkpoint, newestCheckpoint, treeRoot } from '../../evidence/index.js';
import { StoreError } from '../store.js';

/** A checkpoint that the chain does not bear out: it had more records, or other ones. */
export interface Contradiction {
  checkpoint: Checkpoint;
  message: string;
}

/**
 * Looks whether the newest checkpoint of the folder fits the chain: an old backup and a tail that was cut off show here.
 * Whether an older checkpoint fits is for `store doctor`, which reads the whole chain.
 * @throws {StoreError} AG-EVD-004 when the checkpoint cannot be read
 */
export async function contradictionOf(dir: string, head: ChainHead | undefined): Promise<Contradiction | undefined> {
  const newest = await readNewest(dir);
  if (newest === undefined) return undefined;
  const size = head === undefined ? 0 : head.seq + 1;
  if (newest.size > size)
    return {
      checkpoint: newest,
      message: `The newest checkpoint is of ${newest.size} records, the chain has ${size}: records are missing.`,
    };
  if (head !== undefined && newest.size === size && newest.root !== treeRoot(head))
    return { checkpoint: newest, message: `The newest checkpoint is of other records than the ${size} of the chain.` };
  return undefined;
}

/** Puts the checkpoints that speak of more than the chain has, or of other records, out of the comparison: they stay in the folder under another name. */
export async function setAside(dir: string, head: ChainHead): Promise<void> {
  for (let wrong = await contradictionOf(dir, head); wrong !== undefined; wrong = await contradictionOf(dir, head)) {
    const size = String(wrong.checkpoint.size).padStart(16, '0');
    const taken = new Set(await readdir(dir));
    let name = `${size}.checkpoint.rolled-back`;
    for (let number = 2; taken.has(name); number++) name = `${size}.checkpoint.rolled-back-${number}`;
    await rename(join(dir, `${size}.checkpoint`), join(dir, name));
  }
}

async function readNewest(dir: string): Promise<Checkpoint | undefined> {
  try {
    return (await newestCheckpoint(dir))?.checkpoint;
  } catch (error) {
    throw new StoreError('AG-EVD-004', 'The newest checkpoint cannot be read.', { cause: error });
  }
}
