import type { Terminal } from '@bylaw/core/command/output';
import type { ExampleResult } from '@bylaw/core/evaluate';
import type { EditResult } from '@bylaw/core/fix';
import { plural } from '@bylaw/core/report';
import { newPage } from '@bylaw/core/report/page';

export interface TestResults {
  examples: readonly ExampleResult[];
  fixes: readonly EditResult[];
}

const EXPECTED: { readonly [expected in ExampleResult['expected']]: string } = {
  fail: 'fail',
  pass: 'pass',
  skip: 'be skipped',
  undecided: 'be undecided',
};

/** What differs from the examples, rule by rule, and how many do not. */
export function exampleReport({ examples, fixes }: TestResults, rules: number, terminal: Terminal): string {
  const { chalk } = newPage(terminal);
  const wrong = examples.filter((result) => result.problem !== undefined);
  const unfixed = fixes.filter((result) => result.problem !== undefined);
  const line = (rule: string, example: number, what: string) => `${chalk.red('✗')} ${chalk.bold(rule)} example ${example + 1} ${what}`;
  const lines = [
    ...wrong.map(({ rule, example, expected, problem }) => line(rule, example, `must ${EXPECTED[expected]}, but ${problem}`)),
    ...unfixed.map(({ rule, example, problem }) => line(rule, example, `must pass after the fix, but ${problem}`)),
  ];
  const tried = fixes.length === 0 ? '' : ` ${plural(fixes.length, 'fix', 'fixes')}: ${outcome(fixes.length, unfixed.length)}.`;
  const summary = `${plural(rules, 'rule')}, ${plural(examples.length, 'example')}: ${outcome(examples.length, wrong.length)}.${tried}`;
  return [...lines, lines.length > 0 ? chalk.red(summary) : chalk.green(summary), ''].join('\n');
}

/** `3 passed`, `2 passed, 1 failed`. */
function outcome(total: number, failed: number): string {
  return failed === 0 ? `${total} passed` : `${total - failed} passed, ${failed} failed`;
}
