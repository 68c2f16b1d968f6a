import { parentPort, workerData } from 'node:worker_threads';
import { objectJudge } from '@bylaw/core/evaluate';
import { describeError } from '@bylaw/core/log';
import { loadCatalogue } from '@bylaw/core/rule';
import { isAmong } from './namespaces.js';
import { reviewBody } from './review-body.js';
import type { FromReviewThread, ReviewJob, ReviewSetup } from './review-thread.js';
import { warmUp } from './warm-up.js';

// The entry of a thread of the webhook: loads the catalogue, makes the rules ready, says so, then answers one request after another.
const { origin, judging, settings } = workerData as ReviewSetup; // given by openReviewThread
let today = '1970-01-01';
const catalogue = await loadCatalogue(origin);
const annotations = (namespace: string) => isAmong(namespace, settings.annotation_exceptions);
const judge = objectJudge(catalogue, { ...judging, annotations }, { now: () => new Date(`${today}T00:00:00Z`) });
const reviewer = { judge, settings };
warmUp(reviewer, catalogue);

parentPort?.on('message', (job: ReviewJob) => {
  today = job.today;
  parentPort?.postMessage(answer(job));
});
parentPort?.postMessage({ type: 'ready' } satisfies FromReviewThread);

function answer({ body, mode }: ReviewJob): FromReviewThread {
  try {
    return reviewBody(body, mode, reviewer);
  } catch (error) {
    return { type: 'failed', ...describeError(error) };
  }
}
