import { giveWay, serveThread } from '@bylaw/core/thread';
import { runScan, type ScanJob } from './scan-job.js';

// The program of a thread that scans.
giveWay();
serveThread<undefined, ScanJob>(() => runScan);
