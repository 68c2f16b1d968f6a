/** Writing a run in a format: `REPORTERS[format].report(events, out, context)`. */
import { github } from './formats/github.js';
import { gitlab } from './formats/gitlab.js';
import { html } from './formats/html.js';
import { json } from './formats/json.js';
import { junit } from './formats/junit.js';
import { markdown } from './formats/markdown.js';
import { sarif } from './formats/sarif.js';
import { text } from './formats/text.js';
import type { Reporter } from './reporter.js';

export { exceptionTexts } from './exception-text.js';
export { eventsOf, reportOf } from './report-events.js';
export type { Output, ReportContext, Reporter } from './reporter.js';
export { type Counted, type Outcome, outcomeOf, type Threshold, verdictOf } from './verdict.js';
export { placeOf, plural, resourceName, scoreText, uncheckedCount, uncheckedText, undecidedText } from './wording.js';

export const FORMATS = ['text', 'json', 'sarif', 'junit', 'markdown', 'html', 'github', 'gitlab'] as const;
export type Format = (typeof FORMATS)[number];

export interface ReportFormat {
  report: Reporter;
  mediaType: string;
  /** Of a file, without the dot. */
  extension: string;
  /** One line for help texts. */
  summary: string;
}

export const REPORTERS: { readonly [format in Format]: ReportFormat } = {
  text: {
    report: text,
    mediaType: 'text/plain; charset=utf-8',
    extension: 'txt',
    summary: 'for people: findings by file and resource, summary and score',
  },
  json: { report: json, mediaType: 'application/json', extension: 'json', summary: 'everything, as the API returns it' },
  sarif: {
    report: sarif,
    mediaType: 'application/sarif+json',
    extension: 'sarif',
    summary: 'SARIF 2.1.0, for code scanning services and editors',
  },
  junit: { report: junit, mediaType: 'application/xml', extension: 'xml', summary: 'JUnit XML, for the test reports of CI systems' },
  markdown: {
    report: markdown,
    mediaType: 'text/markdown; charset=utf-8',
    extension: 'md',
    summary: 'a comment on a change, at most 60,000 characters',
  },
  html: { report: html, mediaType: 'text/html; charset=utf-8', extension: 'html', summary: 'one page with charts, to send or to print' },
  github: { report: github, mediaType: 'text/plain; charset=utf-8', extension: 'txt', summary: 'annotations for GitHub Actions' },
  gitlab: { report: gitlab, mediaType: 'application/json', extension: 'json', summary: 'Code Quality report for GitLab' },
};
