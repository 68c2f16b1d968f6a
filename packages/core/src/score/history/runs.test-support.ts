import type { ScoredRule } from '../score.js';
import type { RecordedRun } from './recorded-run.js';
import { scopeSketch } from './scope.js';

/** A rule that evaluated ten resources. */
export function ruleThat(rule_id: string, failed: number, severity: ScoredRule['severity'] = 'HIGH'): ScoredRule {
  return { rule_id, category: rule_id.slice(0, rule_id.indexOf('-')), severity, applicable: 10, failed, waived: 0, unknown: 0 };
}

/** A run at a day after 2026-01-01, at noon. */
export function runOn(day: number, rules: readonly ScoredRule[], more: Partial<RecordedRun> = {}): RecordedRun {
  return {
    id: `run_${String(day).padStart(4, '0')}`,
    recordedAt: new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString(),
    project: 'shop',
    ref: 'main',
    commit: `c${day}`,
    source: 'files',
    catalogueVersion: '0.1.0',
    catalogueSha: 'a',
    scope: scopeSketch(['Deployment/shop/web', 'Service/shop/web']),
    resources: 10,
    found: 10,
    unchecked: 0,
    errors: 0,
    rules,
    ...more,
  };
}
