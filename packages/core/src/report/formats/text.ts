import type { Finding } from '../../evaluate/index.js';
import { addToDigest, newDigest } from '../digest.js';
import { newPage } from '../page.js';
import { eachBatch, type Output, type Reporter } from '../reporter.js';
import { failureSection, findingSections, LISTED } from './text-listing.js';
import {
  errorSection,
  fixSection,
  noteSection,
  scoreSection,
  summarySection,
  suppressedSection,
  undecidedSection,
  verdictSection,
} from './text-summary.js';

/**
 * The run for people: findings by severity, then by file and resource; what could not be read or evaluated, what is suppressed or undecided, what was left out;
 * the summary, the score and, as the last line, the verdict.
 */
export const text: Reporter = async (events, out, context) => {
  const page = newPage(context);
  const { most, firstPerRule } = LISTED;
  const listed = { CRITICAL: most, HIGH: most, MEDIUM: most, LOW: context.verbose ? most : 0, INFO: context.verbose ? most : 0 };
  const digest = newDigest({ firstPerRule, listed });
  const fixable = { safe: 0, unsafe: 0 };
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
    for (const finding of findings.filter(isInFile)) {
      if (context.fixable?.safe.has(finding.rule_id)) fixable.safe += 1;
      else if (context.fixable?.unsafe.has(finding.rule_id)) fixable.unsafe += 1;
    }
  });
  for (const part of findingSections(page, digest, context.verbose)) await write(out, part);
  for (const part of failureSection(page, digest)) await write(out, part);
  await write(out, errorSection(page, end.errors, context.verbose));
  await write(out, suppressedSection(page, digest, end.summary.suppressed, context.verbose));
  await write(out, undecidedSection(page, end.summary, end.notes));
  await write(out, noteSection(page, end.notes));
  await write(out, summarySection(page, digest, end));
  await write(out, fixSection(page, fixable));
  await write(out, scoreSection(page, end));
  await write(out, verdictSection(page, end, context.threshold));
};

/** What was rendered, or is in no file, has to be changed elsewhere. */
function isInFile({ status, location }: Finding): boolean {
  return status === 'fail' && location !== null && location.rendered_from === undefined;
}

async function write(out: Output, chunk: string): Promise<void> {
  if (chunk !== '') await out.write(chunk);
}
