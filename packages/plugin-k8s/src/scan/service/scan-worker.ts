import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '@bylaw/core/service';
import { runScan, type ScanJob } from './scan-job.js';

// The entry of a worker thread: does one scan. What it throws reaches the service as the error of the thread.
giveWay();
const outcome = await runScan(workerData as ScanJob); // given by startScan
if ('error' in outcome) parentPort?.postMessage(outcome);
else {
  const bytes = new TextEncoder().encode(outcome.text);
  parentPort?.postMessage({ bytes }, [bytes.buffer]);
}
