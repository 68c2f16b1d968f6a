import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAIN_ID, firstKey, inBatches, joinChunks, memoryFile, ORIGIN, richChain } from '../chain.test-support.js';
import { exportCsv } from '../export/csv.js';
import { exportJsonl } from '../export/jsonl.js';
import { exportOscal } from '../export/oscal.js';
import { oscalSettings } from '../export/oscal-settings.js';
import { damagedCopies, flipped } from './damage.test-support.js';
import { differential } from './python.test-support.js';
import { verifyEvidence } from './verify-evidence.js';

/** Bits that are tried, about. */
const MAX_BITS = 40_000;

const { records } = richChain();
const settings = oscalSettings({ version: '1.2.3', controls: [] }, CHAIN_ID, [{ id: 'prod-needs-human', controls: ['CM-3'] }]);
const exports = {
  jsonl: () => joinChunks(exportJsonl(inBatches(records))),
  csv: () => joinChunks(exportCsv(inBatches(records))),
  oscal: () => joinChunks(exportOscal(() => inBatches(records), settings)),
};

describe.each(Object.entries(exports))('damage to %s', (_, open) => {
  it('is found, whichever bit is flipped', async () => {
    const bytes = Buffer.from(await open());
    const bits = bytes.length * 8;
    // An odd step reaches every bit of a byte.
    const step = 2 * Math.floor(bits / MAX_BITS / 2) + 1;
    for (let bit = 0; bit < bits; bit += step) {
      const file = memoryFile('export', flipped(bytes, bit), 65_536);
      const { exit } = await verifyEvidence([file], { key: { name: ORIGIN, publicKey: firstKey.publicKey } });
      if (exit === 0) expect(`bit ${bit}`).toBe('found');
    }
  });

  it('is reported by both verifiers alike', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'verify-'));
    try {
      const both = differential(folder);
      const bytes = Buffer.from(await open());
      const property = fc.asyncProperty(damagedCopies(bytes), async (file) => {
        await both([file]);
      });
      await fc.assert(property, { numRuns: 300 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
