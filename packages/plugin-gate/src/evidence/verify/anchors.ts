import { type Checkpoint, readCheckpoint } from '../checkpoint.js';
import { isSignedBy } from '../note.js';
import { appendLeaf, rootOfFrontier } from '../tree.js';
import { rootOfInclusion } from '../tree-proof.js';
import type { CheckpointStatus, FailureCode, ReadableReport } from './report.js';

/** A checkpoint, or a proof of one record against one, from a file that the caller trusts to come from elsewhere than the export. */
export interface Anchor {
  file: string;
  checkpoint: Checkpoint;
  /** Of a proof (c2sp.org/tlog-proof@v1). */
  inclusion?: { seq: number; proof: string[] };
}

/** @throws {TypeError} when the text is neither a checkpoint nor a proof; the message says why */
export function readAnchor(file: string, text: string): Anchor {
  if (!text.startsWith(PROOF)) return { file, checkpoint: readCheckpoint(text) };
  const end = text.indexOf('\n\n');
  const lines = text.slice(PROOF.length, end).split('\n');
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const [, seq] = /^index (0|[1-9][0-9]{0,15})$/.exec(lines.shift() ?? '') ?? [];
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  if (end < 0 || seq === undefined || !Number.isSafeInteger(Number(seq)) || proof.some((node) => node.length !== 32))
    throw new TypeError('The proof is malformed. Expected an index, base64 hashes, an empty line, and a checkpoint.');
  const inclusion = { seq: Number(seq), proof: proof.map((node) => node.toString('hex')) };
  return { file, checkpoint: readCheckpoint(text.slice(end + 2)), inclusion };
}

/** Builds the tree over the range, and holds it against the anchors on the way. */
export interface AnchorWalk {
  next(seq: number, hash: string): void;
  /** @param name of the pinned key. @param publicKeys that were in force in the chain. @param partial whether anchors may be outside of the range */
  result(
    name: string,
    publicKeys: readonly string[],
    partial: boolean,
  ): Pick<ReadableReport, 'root' | 'anchored' | 'anchored_to' | 'checkpoints'> & {
    failures: { code: FailureCode; file: string }[];
  };
}

export function anchorWalk(anchors: readonly Anchor[]): AnchorWalk {
  const found: (string | undefined)[] = anchors.map(() => undefined);
  let frontier: string[] | undefined;
  let expected = 0;

  return {
    next(seq, hash) {
      if (seq === expected) frontier = appendLeaf(seq, frontier ?? [], hash);
      else frontier = undefined;
      // Once out of step no size is reached any more.
      expected = frontier === undefined ? -1 : seq + 1;
      anchors.forEach(({ checkpoint, inclusion }, at) => {
        if (inclusion !== undefined && inclusion.seq === seq)
          found[at] = rootOfInclusion(hash, seq, checkpoint.size, inclusion.proof) ?? '';
        if (inclusion === undefined && frontier !== undefined && checkpoint.size === seq + 1) found[at] = rootOfFrontier(frontier);
      });
    },
    result(name, publicKeys, partial) {
      const statuses = anchors.map((anchor, at) => statusOf(anchor, found[at], name, publicKeys));
      const reached = anchors.filter((_, at) => statuses[at] === 'matches').map(lastSeq);
      return {
        root: frontier === undefined ? null : rootOfFrontier(frontier),
        anchored: reached.length > 0,
        anchored_to: reached.length === 0 ? null : Math.max(...reached),
        checkpoints: anchors.map(({ file, checkpoint: { size } }, at) => ({ file, size, status: statuses[at] ?? 'outside' })),
        failures: anchors.flatMap(({ file }, at) => {
          const status = statuses[at] ?? 'outside';
          return status === 'matches' || (status === 'outside' && partial) ? [] : [{ code: FAILURE_OF[status], file }];
        }),
      };
    },
  };
}

const PROOF = 'c2sp.org/tlog-proof@v1\n';

const FAILURE_OF: { [S in Exclude<CheckpointStatus, 'matches'>]: FailureCode } = {
  mismatch: 'checkpoint',
  'not-signed': 'checkpoint-signature',
  outside: 'checkpoint-outside',
};

function statusOf(anchor: Anchor, root: string | undefined, name: string, publicKeys: readonly string[]): CheckpointStatus {
  const { checkpoint } = anchor;
  const signed = checkpoint.origin === name && publicKeys.some((publicKey) => isSignedBy(checkpoint.note, { name, publicKey }));
  if (!signed) return 'not-signed';
  if (root === undefined) return 'outside';
  return root === checkpoint.root ? 'matches' : 'mismatch';
}

/** The last record that an anchor names, and with it all before, which are linked to it. */
function lastSeq({ checkpoint, inclusion }: Anchor): number {
  return inclusion === undefined ? checkpoint.size - 1 : inclusion.seq;
}
