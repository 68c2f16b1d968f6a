import { parentPort, workerData } from 'node:worker_threads';
import { openReading } from '../file/connection.js';
import { failureOf } from '../file/failure.js';
import { type RangeRequest, readPart } from './range.js';
import type { FromRangeThread } from './ranges.js';

// The entry of the thread that reads ranges of records for exports, with a connection of its own.
const db = openReading(String(workerData));

parentPort?.on('message', (request: RangeRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer(request: RangeRequest): FromRangeThread {
  try {
    return { part: readPart(db, request) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
