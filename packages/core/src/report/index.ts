/** Writing a run in a format: `REPORTERS[format].report(events, out, context)`. */
import { FORMATS, type Format } from './format-names.js';
import { github } from './formats/github.js';
import { gitlab } from './formats/gitlab.js';
import { html } from './formats/html.js';
import { json } from './formats/json.js';
import { junit } from './formats/junit.js';
import { markdown } from './formats/markdown.js';
import { sarif } from './formats/sarif.js';
import { text } from './formats/text.js';
import { defineReporter, type ReportFormat } from './reporter.js';

export { type Caveat, caveatsOf } from './caveats.js';
export { exceptionTexts } from './exception-text.js';
export { eventsOf, reportOf } from './report-events.js';
export { defineReporter, eachBatch, type Output, type ReportContext, type Reporter, type ReportFormat, type RunEnd } from './reporter.js';
export { type Counted, type Outcome, outcomeOf, type Threshold, verdictOf } from './verdict.js';
export { placeOf, plural, resourceName, scoreText, uncheckedCount, uncheckedText, undecidedText } from './wording.js';
export { FORMATS, type Format };

export const REPORTERS: { readonly [format in Format]: ReportFormat } = {
  text: defineReporter({
    name: 'text',
    mediaType: 'text/plain; charset=utf-8',
    description: 'for people: findings by file and resource, summary and score',
    fileExtension: 'txt',
    report: text,
  }),
  json: defineReporter({
    name: 'json',
    mediaType: 'application/json',
    description: 'everything, as the API returns it',
    fileExtension: 'json',
    report: json,
  }),
  sarif: defineReporter({
    name: 'sarif',
    mediaType: 'application/sarif+json',
    description: 'SARIF 2.1.0, for code scanning services and editors',
    fileExtension: 'sarif',
    report: sarif,
  }),
  junit: defineReporter({
    name: 'junit',
    mediaType: 'application/xml',
    description: 'JUnit XML, for the test reports of CI systems',
    fileExtension: 'xml',
    report: junit,
  }),
  markdown: defineReporter({
    name: 'markdown',
    mediaType: 'text/markdown; charset=utf-8',
    description: 'a comment on a change, at most 60,000 characters',
    fileExtension: 'md',
    report: markdown,
  }),
  html: defineReporter({
    name: 'html',
    mediaType: 'text/html; charset=utf-8',
    description: 'one page with charts, to send or to print',
    fileExtension: 'html',
    report: html,
  }),
  github: defineReporter({
    name: 'github',
    mediaType: 'text/plain; charset=utf-8',
    description: 'annotations for GitHub Actions',
    fileExtension: 'txt',
    report: github,
  }),
  gitlab: defineReporter({
    name: 'gitlab',
    mediaType: 'application/json',
    description: 'Code Quality report for GitLab',
    fileExtension: 'json',
    report: gitlab,
  }),
};
