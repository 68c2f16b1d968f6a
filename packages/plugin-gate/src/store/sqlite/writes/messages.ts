import type { Answer } from './append.js';
import type { DecisionTexts, Unit } from './unit.js';

/**
 * What the thread that answers requests and the thread that writes tell each other. Decisions and their outcomes go as lists of one
 * kind of value each: a thread takes twice as long for a list of objects, because it writes the names of all members of each.
 */

export interface NumberedUnit {
  number: number;
  unit: Unit;
}

export type NumberedAnswer = readonly [number: number, answer: Answer];

export interface PackedUnits {
  decisions: { numbers: number[] } & { [Member in keyof Omit<DecisionTexts, 'kind'>]: DecisionTexts[Member][] };
  others: NumberedUnit[];
}

export function packUnits(units: readonly NumberedUnit[]): PackedUnits {
  const decisions: PackedUnits['decisions'] = {
    ...{ numbers: [], id: [], reportedBy: [], time: [], dev: [], class: [], effectiveDecision: [] },
    ...{ proposal: [], verdict: [], proposalSeqAt: [], approval: [] },
  };
  const others: NumberedUnit[] = [];
  for (const numbered of units) {
    const { number, unit } = numbered;
    if (unit.kind !== 'decision') {
      others.push(numbered);
      continue;
    }
    decisions.numbers.push(number);
    decisions.id.push(unit.id);
    decisions.reportedBy.push(unit.reportedBy);
    decisions.time.push(unit.time);
    decisions.dev.push(unit.dev);
    decisions.class.push(unit.class);
    decisions.effectiveDecision.push(unit.effectiveDecision);
    decisions.proposal.push(unit.proposal);
    decisions.verdict.push(unit.verdict);
    decisions.proposalSeqAt.push(unit.proposalSeqAt);
    decisions.approval.push(unit.approval);
  }
  return { decisions, others };
}

/** @returns the units in the order of their numbers, which is that in which they came */
export function unpackUnits({ decisions, others }: PackedUnits): NumberedUnit[] {
  const unpacked = decisions.numbers.map((number, at): NumberedUnit => ({ number, unit: decisionAt(decisions, at) }));
  return others.length === 0 ? unpacked : [...unpacked, ...others].sort((a, b) => a.number - b.number);
}

function decisionAt(lists: PackedUnits['decisions'], at: number): DecisionTexts {
  return {
    kind: 'decision',
    id: present(lists.id[at]),
    reportedBy: present(lists.reportedBy[at]),
    time: present(lists.time[at]),
    dev: present(lists.dev[at]),
    class: present(lists.class[at]),
    effectiveDecision: present(lists.effectiveDecision[at]),
    proposal: present(lists.proposal[at]),
    verdict: present(lists.verdict[at]),
    proposalSeqAt: present(lists.proposalSeqAt[at]),
    approval: lists.approval[at],
  };
}

/** All lists have the same length. If a value is missing all the same, nothing must be recorded in its place. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('A message between the threads of the store has a hole.');
  return value;
}

export interface PackedAnswers {
  /** Of decisions that were recorded: the number of the verdict record says all but the time. */
  recorded: { numbers: number[]; verdictSeqs: number[]; times: string[] };
  others: NumberedAnswer[];
}

export function packAnswers(answers: readonly NumberedAnswer[]): PackedAnswers {
  const packed: PackedAnswers = { recorded: { numbers: [], verdictSeqs: [], times: [] }, others: [] };
  for (const numbered of answers) {
    const [number, answer] = numbered;
    const outcome = 'outcome' in answer ? answer.outcome : undefined;
    if (outcome === undefined || 'kind' in outcome || outcome.seq[0] + 1 !== outcome.seq[1]) packed.others.push(numbered);
    else {
      packed.recorded.numbers.push(number);
      packed.recorded.verdictSeqs.push(outcome.seq[1]);
      packed.recorded.times.push(outcome.time);
    }
  }
  return packed;
}

export function unpackAnswers({ recorded: { numbers, verdictSeqs, times }, others }: PackedAnswers): NumberedAnswer[] {
  const recorded = numbers.map((number, at): NumberedAnswer => {
    const seq = present(verdictSeqs[at]);
    return [number, { outcome: { ref: String(seq), seq: [seq - 1, seq], time: present(times[at]) } }];
  });
  return [...recorded, ...others];
}
