import { createHash } from 'node:crypto';
import type { Json } from '../../json/index.js';
import type { StoredRecord } from '../record.js';
import { readHeader } from '../record-line.js';
import { uuidsWithin } from '../uuid.js';
import { jsonlOf } from './jsonl.js';
import type { OscalSettings } from './oscal-settings.js';
import { recordFacts } from './record-facts.js';
import { addToSurvey, beginSurvey, type RangeSurvey } from './survey.js';

/** What an OSCAL document says before and after its observations. */
export interface OscalSurvey {
  range: RangeSurvey;
  /** Who reported records, in the order of their first. */
  reporters: string[];
  /** Hex SHA-256 of the records as jsonl. */
  jsonlDigest: string;
  /** By control, in the order of the first verdict that names it. */
  controls: Map<string, ControlOutcome>;
}

export interface ControlOutcome {
  verdicts: number;
  /** Denials that were not enforced, and results that contradict their verdict. */
  failures: number;
  /** Observations of the first of them. */
  observations: string[];
}

/** Observations that a finding names, at most. */
const MAX_RELATED = 100;

/** Reads a range once. Memory grows with the number of refused verdicts alone: a result may contradict one of them later. */
export async function surveyForOscal(records: AsyncIterable<readonly StoredRecord[]>, settings: OscalSettings): Promise<OscalSurvey> {
  const digest = createHash('sha256');
  const reporters = new Set<string>();
  const survey: Omit<OscalSurvey, 'jsonlDigest' | 'reporters'> = {
    range: beginSurvey(),
    controls: new Map(),
  };
  const refused = new Map<number, string[]>();
  const idOf = uuidsWithin(settings.chain_id);
  for await (const batch of records) {
    digest.update(jsonlOf(batch));
    for (const record of batch) {
      const header = readHeader(record);
      addToSurvey(survey.range, record, header);
      reporters.add(header.reported_by);
      addOutcome(survey.controls, refused, record, settings, idOf);
    }
  }
  return { ...survey, reporters: [...reporters], jsonlDigest: digest.digest('hex') };
}

/** What the identifier of a record's observation is made of. */
export function observationName(record: Pick<StoredRecord, 'seq' | 'hash'>): string {
  return `record/${record.seq}/${record.hash}`;
}

function addOutcome(
  controls: Map<string, ControlOutcome>,
  refused: Map<number, string[]>,
  record: StoredRecord,
  settings: OscalSettings,
  idOf: (name: string) => string,
): void {
  if (record.data === null || (record.type !== 'verdict' && record.type !== 'result')) return;
  const facts = recordFacts(record.type, JSON.parse(record.data) as Json);
  const fails = (control: string) => {
    const outcome = outcomeOf(controls, control);
    outcome.failures++;
    if (outcome.observations.length < MAX_RELATED) outcome.observations.push(idOf(observationName(record)));
  };
  if (record.type === 'result') {
    if (facts.contradictsVerdict === true) for (const control of refused.get(facts.verdictSeq ?? -1) ?? []) fails(control);
    return;
  }
  const named = controlsOf(facts.policies ?? [], settings);
  for (const control of named) outcomeOf(controls, control).verdicts++;
  if (facts.decision === 'DENY' && facts.enforced === false) for (const control of named) fails(control);
  if (facts.effectiveDecision !== 'ALLOW' && named.length > 0) refused.set(record.seq, named);
}

function outcomeOf(controls: Map<string, ControlOutcome>, control: string): ControlOutcome {
  const known = controls.get(control);
  if (known !== undefined) return known;
  const outcome = { verdicts: 0, failures: 0, observations: [] };
  controls.set(control, outcome);
  return outcome;
}

function controlsOf(policies: readonly string[], settings: OscalSettings): string[] {
  return [...new Set(policies.flatMap((id) => (Object.hasOwn(settings.policy_controls, id) ? (settings.policy_controls[id] ?? []) : [])))];
}
