import { statfsSync } from 'node:fs';
import { StoreError } from '../../store.js';

/**
 * File systems on which a write-ahead log is not safe: its readers and writers share memory, which two machines do not, and
 * their locks and syncs promise less. Numbers: statfs(2) and linux/magic.h.
 */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x786f4256, 'VirtualBox shared folder'],
]);

/** @param type of a file system, as statfs tells it. @returns its name if it is not local */
export function remoteFileSystem(type: number): string | undefined {
  return REMOTE.get(type >>> 0);
}

/** @throws {StoreError} AG-EVD-002 when the folder is not on a local disk */
export function requireLocalDisk(folder: string): void {
  // Other systems number their file systems in their own ways.
  if (process.platform !== 'linux') return;
  const name = remoteFileSystem(statfsSync(folder).type);
  if (name === undefined) return;
  throw new StoreError(
    'AG-EVD-002',
    `The store is on ${name}. An evidence store must be on a local disk. To share a store, use store.kind: postgres.`,
  );
}
