import { SEVERITIES } from '../rule/rule.js';
import type { Comparison } from './compare.js';
import type { EvaluationEvent, Truncated } from './findings/evaluation.js';
import type { Finding } from './findings/finding.js';
import { findingBatch } from './findings/finding-json.js';

/**
 * The same run with at most `limit` findings, the most severe ones, in report order, and at most `limit` errors. Counts and scores stay those of
 * the whole run. If something is left out, the end has the member `truncated`. Memory holds `limit` findings.
 * @param limit at least 1
 */
export async function* limitEvents(events: AsyncIterable<EvaluationEvent>, limit: number): AsyncGenerator<EvaluationEvent, void, void> {
  const kept = new MostSevere(limit);
  for await (const event of events) {
    if (event.type === 'findings') {
      for (const finding of event.batch.findings()) kept.add(finding);
      continue;
    }
    const findings = kept.inOrder();
    if (findings.length > 0) yield { type: 'findings', batch: findingBatch(findings) };
    const truncated = {
      ...truncationOf('findings', findings.length, kept.total),
      ...truncationOf('errors', limit, event.errors.length),
      ...truncationOf('undecided', Math.min(limit, event.undecided?.length ?? 0), event.summary.undecided?.checks ?? 0),
    };
    yield {
      ...event,
      errors: event.errors.slice(0, limit),
      ...(event.undecided && { undecided: event.undecided.slice(0, limit) }),
      ...withTruncated(event.more, truncated),
    };
  }
}

/** The same comparison with at most `limit` entries in each list: of the findings the most severe, of the others the first. */
export function limitComparison(comparison: Comparison, limit: number): Comparison {
  const { introduced, resolved, changes, errors, undecided, undecided_counts } = comparison;
  const truncated = {
    ...truncationOf('introduced', limit, introduced.length),
    ...truncationOf('resolved', limit, resolved.length),
    ...truncationOf('changes', limit, changes.length),
    ...truncationOf('errors', limit, errors.length),
    ...truncationOf('undecided', Math.min(limit, undecided?.length ?? 0), undecided_counts?.proposed?.checks ?? 0),
  };
  return {
    ...comparison,
    introduced: mostSevere(introduced, limit),
    resolved: mostSevere(resolved, limit),
    changes: changes.slice(0, limit),
    errors: errors.slice(0, limit),
    ...(undecided && { undecided: undecided.slice(0, limit) }),
    ...(Object.keys(truncated).length > 0 && { truncated }),
  };
}

function truncationOf(list: string, limit: number, total: number): Truncated {
  return total > limit ? { [list]: { shown: limit, total } } : {};
}

function withTruncated(more: { readonly [member: string]: unknown } | undefined, truncated: Truncated) {
  return Object.keys(truncated).length === 0 ? {} : { more: { ...more, truncated } };
}

function mostSevere(findings: readonly Finding[], limit: number): Finding[] {
  const kept = new MostSevere(limit);
  for (const finding of findings) kept.add(finding);
  return kept.inOrder();
}

/** Keeps the most severe findings of a stream, and of equally severe ones the first. */
class MostSevere {
  total = 0;
  #kept = 0;
  /** By rank, the most severe first; each in the order of arrival. */
  readonly #ranks: { index: number; finding: Finding }[][] = Array.from({ length: 3 * SEVERITIES.length }, () => []);

  constructor(private readonly limit: number) {}

  add(finding: Finding): void {
    const index = this.total++;
    const rank = rankOf(finding);
    if (this.#kept < this.limit) this.#kept += 1;
    else {
      const worst = this.#ranks.findLastIndex((entries) => entries.length > 0);
      if (worst <= rank) return;
      this.#ranks[worst]?.pop();
    }
    this.#ranks[rank]?.push({ index, finding });
  }

  inOrder(): Finding[] {
    return this.#ranks
      .flat()
      .sort((a, b) => a.index - b.index)
      .map(({ finding }) => finding);
  }
}

/** What fails, or could not be evaluated, comes before what an exception accepts, and that before what passes. */
function rankOf({ status, severity }: Finding): number {
  const group = status === 'pass' ? 2 : status === 'suppressed' ? 1 : 0;
  return group * SEVERITIES.length + SEVERITIES.indexOf(severity);
}
