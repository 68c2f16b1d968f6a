import type { AnswerWarning } from '@bylaw/core/answer';
import type { ChartSection } from '@bylaw/core/report/chart-page';

/** What a reader has to know of the input and of the page, at its end. An answer with charts says what they leave out, too. */
export function warningsSection(warnings: readonly AnswerWarning[], ofPage: readonly AnswerWarning[]): ChartSection[] {
  const texts = new Set([...warnings, ...ofPage].map(({ message }) => message));
  return texts.size === 0 ? [] : [{ title: 'Warnings', paragraphs: [...texts] }];
}
