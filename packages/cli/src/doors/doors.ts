import type { ComplianceMap } from '@bylaw/core/compliance';
import type { Comparison, ComparisonRequest, EvaluationEvent, EvaluationRequest } from '@bylaw/core/evaluate';
import type { ScoreHistory } from '../scores/history.js';
import type { ScoreHistoryQuery, ScoreTrendQuery } from '../scores/query.js';
import type { ScoreTrendAnswer } from '../scores/trend.js';
import type { RuleDocument } from './rule-document.js';
import type { RuleList, RuleQuery } from './rule-list.js';

/**
 * What the commands, the REST server and the tool server all offer: one function each, so that the same input gives the same answer
 * through every door. `local.ts` answers here; `remote/` has a server answer.
 */
export interface Doors {
  listRules(query: RuleQuery): Promise<RuleList>;
  /** @throws {BylawError} `rule-unknown` */
  getRule(id: string): Promise<RuleDocument>;
  /** @throws {BylawError} `framework-unknown` */
  compliance(frameworks?: readonly string[]): Promise<ComplianceMap>;
  /** A stream of findings and one end. @throws {BylawError} before the first event, for unknown names in the filter */
  evaluate(request: EvaluationRequest): AsyncIterable<EvaluationEvent>;
  /** @throws {BylawError} for unknown names in the filter */
  validate(request: ComparisonRequest): Promise<Comparison>;
  /** @throws {BylawError} `project-unknown`, `usage` for a wrong cursor or date, `scores-unusable` */
  scoreHistory(query: ScoreHistoryQuery): Promise<ScoreHistory>;
  /** @throws {BylawError} as for the history */
  scoreTrend(query: ScoreTrendQuery): Promise<ScoreTrendAnswer>;
}
