import type { ChartSection } from '@bylaw/core/report/chart-page';

/** More charts are not looked at; tables and the answer as JSON have all. */
export const MOST_CHARTS = 25;

/** What a reader has to know of the input, at the end of a page. */
export function warningsSection(warnings: readonly { message: string }[]): ChartSection[] {
  return warnings.length === 0 ? [] : [{ title: 'Warnings', paragraphs: warnings.map(({ message }) => message) }];
}
