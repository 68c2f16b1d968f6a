import type { Finding } from '@bylaw/core/evaluate';
import { CATEGORIES } from '@bylaw/core/rule';
import type { ObjectReference, Outcome, ReportResult } from './report.js';

export interface ResultOptions {
  /** Where the API names the source with each result. */
  source?: string | undefined;
  /** The time of the evaluation; absent, so that equal input gives equal reports. */
  time?: Date | undefined;
}

/** A finding as a result of a report. */
export function resultOf(finding: Finding, resource: ObjectReference, { source, time }: ResultOptions): ReportResult {
  const { rule_id, category, severity, message } = finding;
  const result = outcomeOf(finding);
  return {
    ...(source !== undefined && { source }),
    policy: rule_id,
    category: titleOf(category),
    severity: SEVERITIES[severity],
    result,
    scored: severity !== 'INFO',
    message,
    resources: [resource],
    properties: propertiesOf(finding),
    ...(time && { timestamp: { seconds: Math.floor(time.getTime() / 1000), nanos: 0 } }),
  };
}

/** What does not count is a warning: that is how both APIs use the word. */
function outcomeOf({ status, severity }: Finding): Outcome {
  if (status === 'suppressed') return 'skip';
  return status === 'fail' && severity === 'INFO' ? 'warn' : status;
}

const SEVERITIES = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', INFO: 'info' } as const;

function titleOf(category: string): string {
  const titles: { readonly [code: string]: string } = CATEGORIES;
  return Object.hasOwn(titles, category) ? (titles[category] ?? category) : category;
}

function propertiesOf({ title, path, fix, location, frameworks, suppression }: Finding): { [name: string]: string } {
  return {
    title,
    ...(path !== '' && { path }),
    fix,
    ...(location && { location: `${location.file}:${location.line}:${location.column}` }),
    ...(frameworks.length > 0 && { frameworks: frameworks.join(', ') }),
    ...(suppression && { exception: `${suppression.source}: ${suppression.reason}` }),
    ...(suppression?.expires !== undefined && { expires: suppression.expires }),
  };
}
