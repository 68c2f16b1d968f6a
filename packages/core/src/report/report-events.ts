import { type EvaluationEvent, type EvaluationReport, type Finding, findingBatch } from '../evaluate/index.js';
import { eachBatch } from './reporter.js';

/** A run as one object, in memory: for answers that are not streamed. */
export async function reportOf(events: AsyncIterable<EvaluationEvent>): Promise<EvaluationReport> {
  const findings: Finding[] = [];
  const { errors, notes, undecided, score, summary, more } = await eachBatch(events, (batch) => {
    for (const finding of batch) findings.push(finding);
  });
  return { findings, errors, notes, ...(undecided && { undecided: [...undecided] }), score, summary, ...more };
}

const BATCH = 1_000;

/** A report, perhaps from a server, as a run again: any reporter writes the same bytes as for the run it was made of. */
export async function* eventsOf(report: EvaluationReport): AsyncGenerator<EvaluationEvent, void, void> {
  const { findings, errors, notes, undecided, score, summary, ...more } = report;
  for (let at = 0; at < findings.length; at += BATCH) yield { type: 'findings', batch: findingBatch(findings.slice(at, at + BATCH)) };
  yield { type: 'end', errors, notes, ...(undecided && { undecided }), score, summary, ...(Object.keys(more).length > 0 && { more }) };
}
