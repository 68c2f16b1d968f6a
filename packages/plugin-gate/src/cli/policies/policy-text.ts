import { plural } from '@bylaw/core/plural';
import type { BundleTest } from '../../policy/index.js';
import type { Coverage, PolicyTrace, TestResult, Verdict } from '../../verdict/index.js';

/** Failures with their place, then the numbers, then what no test has seen. */
export function testText(results: readonly TestResult[], coverage: Coverage): string {
  const failed = results.filter(({ problems }) => problems.length > 0);
  const failures = failed.flatMap(({ test, problems }) => problems.map((problem) => `${formatPlace(test)}: ${test.name}: ${problem}\n`));
  const unseen = coverage.policies.flatMap(({ id, matched, unmatched }) => [
    ...(matched ? [] : [`  ${id} never matches\n`]),
    ...(unmatched === false ? [`  ${id} always matches when it is evaluated\n`] : []),
  ]);
  const numbers = `${results.length - failed.length} of ${plural(results.length, 'test')} passed, ${coverage.percent} % of the outcomes are covered\n`;
  return [...failures, numbers, ...(unseen.length > 0 ? ['Not covered by any test:\n', ...unseen] : [])].join('');
}

function formatPlace({ location }: BundleTest): string {
  return `${location.file}:${location.line}:${location.column}`;
}

/** The verdict in a line, then every policy with what it came to. */
export function explainText({ decision, reasons }: Verdict, traces: readonly PolicyTrace[]): string {
  const why = reasons.map(({ code, policy, message }) => `  ${code}${policy === undefined ? '' : ` ${policy}`}: ${message}\n`);
  return [`${decision}\n`, ...why, '\n', ...traces.map(traceText)].join('');
}

function traceText({ id, stage, effect, misses, condition, parts }: PolicyTrace): string {
  const head = `${id} (${stage === 'draft' ? 'draft, ' : ''}${effect}): ${outcome(misses, condition)}\n`;
  if (condition === true) return head;
  const shown = parts.length > 1 ? parts : parts.filter(({ value }) => value === 'error');
  return (
    head + shown.map(({ source, value, error }) => `    ${error === undefined ? value : `error (${error})`}: ${oneLine(source)}\n`).join('')
  );
}

function outcome(misses: PolicyTrace['misses'], condition: PolicyTrace['condition']): string {
  if (misses.length > 0) return `does not match: its ${misses.join(' and ')} do not cover the proposal`;
  if (condition === 'error') return 'its condition cannot be evaluated, so the policy denies';
  return condition === true ? 'matches' : 'its condition is false';
}

function oneLine(source: string): string {
  return source.replace(/\s+/g, ' ');
}
