import { gateError } from '../../error-table.js';
import type { Recorded } from '../../store/index.js';
import type { GateInstallation } from '../open/open-gate.js';
import { openStoreToWrite, operatorName, withStoreErrors } from '../open/open-store.js';

/**
 * Takes the data out of a record for good, and records who did it and why. Its header, hash and signature stay, so the chain
 * verifies as before.
 * @throws {BylawError} AG-EVD-003 when there is no such record or it cannot be erased; AG-EVD-…
 */
export async function eraseRecord(installation: GateInstallation, seq: number, reason: string): Promise<Recorded> {
  const operator = operatorName();
  const store = await openStoreToWrite(installation);
  try {
    return await withStoreErrors(() =>
      store.erase(seq, {
        kind: 'admin',
        type: 'admin_action',
        time: installation.clock.now().toISOString(),
        dev: installation.dev ?? false,
        reportedBy: operator,
        data: { action: 'evidence.erase', seq, operator, reason },
      }),
    );
  } catch (error) {
    if (error instanceof RangeError) throw gateError('AG-EVD-003', `Record ${seq} cannot be erased: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await store.close();
  }
}
