import type { Finding } from '../evaluate/index.js';
import { addToDigest, newDigest } from './digest.js';
import { newPage } from './page.js';
import { eachBatch, type Output, type ReportContext, type Reporter } from './reporter.js';
import { newListing } from './text-listing.js';
import { errorSection, fixSection, scoreSection, summarySection, suppressedSection } from './text-summary.js';

/**
 * The run for people: findings under their file and resource, what could not be read, what is suppressed, then the summary and the
 * score, which a terminal shows last. Lists everything of a small run, and the first findings of each rule of a large one.
 */
export const text: Reporter = async (events, out, context) => {
  const page = newPage(context);
  const listing = newListing(page, context.verbose);
  const digest = newDigest(0);
  let fixable = 0;
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
    fixable += findings.filter((finding) => isFixable(finding, context)).length;
    return write(out, listing.take(findings));
  });
  await write(out, listing.end());
  await write(out, errorSection(page, end.errors, context.verbose));
  await write(out, suppressedSection(page, digest, end.summary.suppressed, context.verbose));
  await write(out, summarySection(page, digest, end));
  await write(out, fixSection(page, fixable));
  await write(out, scoreSection(page, end.score));
};

/** What was rendered, or stands in no file, has to be changed elsewhere. */
function isFixable({ status, location, rule_id }: Finding, { fixable }: ReportContext): boolean {
  return status === 'fail' && location !== null && location.rendered_from === undefined && (fixable?.has(rule_id) ?? false);
}

async function write(out: Output, chunk: string): Promise<void> {
  if (chunk !== '') await out.write(chunk);
}
