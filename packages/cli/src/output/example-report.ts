import type { Terminal } from '@bylaw/core/command/output';
import type { ExampleResult } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/report';
import { newPage } from '@bylaw/core/report/page';

/** What differs from the examples, rule by rule, and how many do not. */
export function exampleReport(results: readonly ExampleResult[], rules: number, terminal: Terminal): string {
  const { chalk } = newPage(terminal);
  const wrong = results.filter((result) => result.problem !== undefined);
  const lines = wrong.map(
    ({ rule, example, expected, problem }) =>
      `${chalk.red('✗')} ${chalk.bold(rule)} example ${example + 1} must ${expected === 'skip' ? 'not be judged' : expected}, but ${problem}`,
  );
  const summary = `${plural(rules, 'rule')}, ${plural(results.length, 'example')}: ${results.length - wrong.length} as written, ${wrong.length} not.`;
  return [...lines, wrong.length > 0 ? chalk.red(summary) : chalk.green(summary), ''].join('\n');
}
