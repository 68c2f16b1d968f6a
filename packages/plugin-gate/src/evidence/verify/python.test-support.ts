import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { firstKey, ORIGIN } from '../chain.test-support.js';
import { verifierKeyText } from '../note.js';
import { readAnchor } from './anchors.js';
import type { ApproverList } from './approvals.js';
import { evidenceFile } from './sources.js';
import { verifyEvidence } from './verify-evidence.js';

const script = fileURLToPath(new URL('../../../../../verifier/verify_evidence.py', import.meta.url));

/** Runs both verifiers over the same files, holds their reports against each other, and gives the one report. */
export function differential(folder: string) {
  let count = 0;
  const stored = (content: string | Uint8Array) => {
    const path = join(folder, `file-${count++}`);
    writeFileSync(path, content);
    return path;
  };
  return async (
    files: (string | Uint8Array)[],
    options: {
      key?: typeof firstKey;
      origin?: string;
      notes?: string[];
      flags?: string[];
      approvers?: ApproverList | undefined;
    } = {},
  ) => {
    const { key = firstKey, origin = ORIGIN, notes = [], flags = [], approvers } = options;
    const pinned = { name: origin, publicKey: key.publicKey };
    const paths = files.map(stored);
    const notePaths = notes.map(stored);
    const python = spawnSync(
      'python3',
      [
        '-I',
        script,
        ...paths,
        '--key',
        verifierKeyText(pinned),
        ...notePaths.flatMap((path) => ['--checkpoint', path]),
        ...(approvers === undefined ? [] : ['--approvers', stored(listText(approvers))]),
        ...flags,
        '--json',
      ],
      { encoding: 'utf8' },
    );
    const ours = await verifyEvidence(paths.map(evidenceFile), {
      key: pinned,
      anchors: notes.map((note, at) => readAnchor(notePaths[at] ?? '', note)),
      requireAnchor: flags.includes('--require-anchor'),
      allowDev: flags.includes('--allow-dev'),
      partial: flags.includes('--partial'),
      approvers,
    });
    expect(python.stderr).toBe('');
    expect(JSON.parse(python.stdout)).toEqual(JSON.parse(JSON.stringify(ours)));
    expect(python.status).toBe(ours.exit);
    return ours;
  };
}

/** As the configuration says it. */
function listText({ approvers, allowUnsigned }: ApproverList): string {
  return JSON.stringify({ approvers, approvals: { allow_unsigned: allowUnsigned } });
}
