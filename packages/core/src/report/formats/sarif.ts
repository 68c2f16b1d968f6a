import type { InputError, Location } from '../../errors.js';
import type { Finding, Summary, UndecidedCheck } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { exceptionTexts } from '../exception-text.js';
import { eachBatch, type ReportContext, type Reporter } from '../reporter.js';
import { resourceName, uncheckedText, undecidedText } from '../wording.js';
import { fingerprint } from './fingerprint.js';
import { levelOf, sarifRule } from './sarif-rule.js';
import { fileUri } from './uri.js';

/** The schema that the output is held to: SARIF 2.1.0 with Errata 01. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning services read it, streamed: one result per line. What
 * could not be read is listed in `invocations` as notifications, and makes `executionSuccessful` false, so that a service does not take the
 * findings of an unread file for resolved.
 */
export const sarif: Reporter = async (events, out, context) => {
  const ruleIndexes = new Map(context.rules.map((rule, index) => [rule.id, index]));
  let before = '\n';
  await out.write(opening(context));
  const end = await eachBatch(events, async (findings) => {
    if (findings.length === 0) return;
    await out.write(before + findings.map((finding) => JSON.stringify(resultOf(finding, ruleIndexes))).join(',\n'));
    before = ',\n';
  });
  const { errors, notes, summary, undecided = [] } = end;
  if (undecided.length > 0) {
    await out.write(before + undecided.map((check) => JSON.stringify(openResult(check, ruleIndexes))).join(',\n'));
    before = ',\n';
  }
  const notifications = [...errors.map(notificationOf), ...remarks(summary, notes)];
  const invocation = { executionSuccessful: errors.length === 0, toolExecutionNotifications: notifications };
  await out.write(`${before === '\n' ? '' : '\n'}],\n"invocations": [${JSON.stringify(invocation)}],\n`);
  await out.write(`"properties": ${JSON.stringify({ score: end.score, summary })}\n}]\n}\n`);
};

function opening({ version, rules }: ReportContext): string {
  const driver = { name: 'bylaw', version, rules: rules.map(sarifRule) };
  return `{\n"$schema": ${JSON.stringify(SCHEMA)},\n"version": "2.1.0",\n"runs": [{\n"tool": ${JSON.stringify({ driver })},\n"columnKind": "utf16CodeUnits",\n"results": [`;
}

function resultOf(finding: Finding, ruleIndexes: ReadonlyMap<string, number>) {
  const ruleIndex = ruleIndexes.get(finding.rule_id);
  return {
    ruleId: finding.rule_id,
    ...(ruleIndex !== undefined && { ruleIndex }),
    ...standing(finding),
    message: { text: messageText(finding.message) },
    locations: [{ ...physical(finding.location), logicalLocations: [logicalLocation(finding)] }],
    partialFingerprints: { 'bylaw/v1': fingerprint(finding) },
    // all results of a run must carry this member, or none (3.27.23); while streaming it is not known whether one will need it
    suppressions: suppressionsOf(finding),
    properties: {
      severity: finding.severity,
      path: finding.path,
      ...(finding.location?.rendered_from !== undefined && { rendered_from: finding.location.rendered_from }),
      ...(finding.would_be_suppressed && { would_be_suppressed: finding.would_be_suppressed }),
      ...(finding.caused_by !== undefined && { caused_by: finding.caused_by }),
    },
  };
}

/** What could not be decided is open (3.27.9). */
function openResult(check: UndecidedCheck, ruleIndexes: ReadonlyMap<string, number>) {
  const { rule_id, location, path, severity, reason, message } = check;
  const ruleIndex = ruleIndexes.get(rule_id);
  return {
    ruleId: rule_id,
    ...(ruleIndex !== undefined && { ruleIndex }),
    kind: 'open',
    level: 'none',
    message: { text: messageText(message) },
    locations: [{ ...physical(location), logicalLocations: [logicalLocation(check)] }],
    suppressions: [],
    properties: { severity, path, reason, ...(location?.rendered_from !== undefined && { rendered_from: location.rendered_from }) },
  };
}

/** Results other than failures have the level `none` (3.27.10); a rule that could not be evaluated leaves its question open. */
function standing({ status, severity }: Finding) {
  if (status === 'pass') return { kind: 'pass', level: 'none' };
  if (status === 'error') return { kind: 'open', level: 'none' };
  return { kind: 'fail', level: levelOf(severity) };
}

function suppressionsOf({ status, suppression }: Finding) {
  if (status !== 'suppressed' || suppression === undefined) return [];
  const { source, reason, expires } = suppression;
  return [
    {
      kind: source === 'annotation' || source === 'comment' ? 'inSource' : 'external',
      status: 'accepted',
      justification: reason,
      properties: { source, ...(expires !== undefined && { expires }) },
    },
  ];
}

function logicalLocation({ resource, path }: Pick<Finding, 'resource' | 'path'>) {
  const { api_version, kind, namespace, name } = resource;
  const object = [api_version, kind, ...(namespace === null ? [] : [namespace]), name].join('/');
  return { name: resourceName(resource), fullyQualifiedName: path === '' ? object : `${object}#${path}`, kind: 'resource' };
}

function physical(location: Location | null) {
  const uri = location === null ? '' : fileUri(location.file);
  if (location === null || uri === '') return {};
  const region = location.line >= 1 && {
    region: { startLine: location.line, ...(location.column >= 1 && { startColumn: location.column }) },
  };
  return { physicalLocation: { artifactLocation: { uri }, ...region } };
}

function notificationOf({ code, message, location }: InputError) {
  const place = physical(location);
  return {
    level: 'error',
    descriptor: { id: code },
    message: { text: messageText(message) },
    ...('physicalLocation' in place && { locations: [place] }),
  };
}

/** What was not checked although nothing failed: kinds that no rule covers, and notes; and how many findings exceptions cover. */
function remarks(summary: Summary, notes: readonly Note[]) {
  const unchecked = uncheckedText(summary);
  const undecided = undecidedText(summary);
  const exceptions = exceptionTexts(summary).map((message) => ({ code: 'exceptions', message }));
  const said = [
    ...(unchecked === '' ? [] : [{ code: 'not-checked', message: unchecked }]),
    ...(undecided === '' ? [] : [{ code: 'undecided', message: undecided }]),
    ...exceptions,
    ...notes,
  ];
  return said.map(({ code, message }) => ({ level: 'note', descriptor: { id: code }, message: { text: messageText(message) } }));
}

/** A plain text message may hold links, `[text](target)` (3.11.6): text of the input must not become one. */
function messageText(text: string): string {
  return text.toWellFormed().replaceAll('](', '] (') || '(no message)';
}
