import { objectJudge } from '@bylaw/core/evaluate';
import { loadCatalogue } from '@bylaw/core/rule';
import { serveThread } from '@bylaw/core/thread';
import { isAmong } from './namespaces.js';
import { reviewBody } from './review-body.js';
import type { ReviewJob, ReviewSetup } from './review-job.js';
import { warmUp } from './warm-up.js';

// The program of a thread of the webhook: loads the catalogue and makes the rules ready, then answers one request after another.
serveThread<ReviewSetup, ReviewJob>(async ({ origin, judging, settings }) => {
  let today = '1970-01-01';
  const catalogue = await loadCatalogue(origin);
  const annotations = (namespace: string) => isAmong(namespace, settings.annotation_exceptions);
  const judge = objectJudge(catalogue, { ...judging, annotations }, { now: () => new Date(`${today}T00:00:00Z`) });
  const reviewer = { judge, settings };
  warmUp(reviewer, catalogue);
  return (job) => {
    today = job.today;
    return reviewBody(job.body, job.mode, reviewer);
  };
});
