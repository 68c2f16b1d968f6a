import type { InputError } from '../../errors.js';
import type { Finding, Summary, UndecidedCheck } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { printable } from '../../printable.js';
import { xml } from '../../xml.js';
import { exceptionTexts } from '../exception-text.js';
import { eachBatch, type Reporter } from '../reporter.js';
import { NO_FILE, placeOf, plural, resourceName } from '../wording.js';
import { filePath } from './uri.js';

/**
 * JUnit XML as CI systems read it: a test suite per file, a test case per resource and rule. A case fails with all findings of its rule, is
 * skipped where an exception covers them, and is an error where the rule could not be evaluated. Input that could not be read is an
 * error in a suite of its own; kinds that no rule covers, and notes, are skipped cases in another, undecided checks (the first 2,000) in one of their own, and counts of suppressed findings in a third. Streamed; a file of very many cases is cut into suites of the same name, whose counts are each right.
 */
export const junit: Reporter = async (events, out, context) => {
  const suites = newSuites();
  await out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bylaw">\n');
  const end = await eachBatch(events, async (findings) => {
    const complete = findings.map(suites.take).join('');
    if (complete !== '') await out.write(complete);
  });
  await out.write(suites.end());
  if (end.errors.length > 0) await out.write(suiteOf('input errors', end.errors.map(errorCase)));
  if (end.undecided) await out.write(suiteOf('undecided', end.undecided.slice(0, MAX_CASES).map(undecidedCase)));
  const skipped = [...end.summary.unchecked.map(uncheckedCase), ...end.notes.map(noteCase)];
  if (skipped.length > 0) await out.write(suiteOf('not checked', skipped));
  const exceptions = exceptionTexts(end.summary);
  if (exceptions.length > 0) await out.write(suiteOf('exceptions', exceptions.map(exceptionCase)));
  if (suites.total() === 0 && end.errors.length === 0 && skipped.length === 0 && !end.undecided) {
    const name = `${plural(context.rules.length, 'rule')}, ${plural(end.summary.resources, 'resource')}: no findings`;
    await out.write(suiteOf('bylaw', [{ name, classname: 'bylaw', result: 'pass', body: '' }]));
  }
  await out.write('</testsuites>\n');
};

type Result = 'fail' | 'error' | 'skipped' | 'pass';

interface TestCase {
  name: string;
  classname: string;
  file?: string;
  line?: number;
  result: Result;
  body: string;
}

const MAX_CASES = 2_000;

/** Gathers the cases of a resource, and of them the suite of a file; gives each suite as text when it is complete. */
function newSuites() {
  let file: string | undefined;
  let resource: string | undefined;
  let cases: TestCase[] = [];
  let ofResource = new Map<string, Finding[]>();
  let total = 0;

  const closeResource = () => {
    for (const findings of ofResource.values()) cases.push(caseOf(findings));
    ofResource = new Map();
  };
  const end = (): string => {
    closeResource();
    total += cases.length;
    const suite = cases.length === 0 ? '' : suiteOf(file ?? NO_FILE, cases);
    cases = [];
    return suite;
  };
  const take = (finding: Finding): string => {
    const nextFile = finding.location === null ? NO_FILE : filePath(finding.location.file);
    const nextResource = JSON.stringify(finding.resource);
    if (nextResource !== resource) closeResource();
    const complete = nextFile !== file || cases.length >= MAX_CASES ? end() : '';
    file = nextFile;
    resource = nextResource;
    const sameRule = ofResource.get(finding.rule_id);
    if (sameRule === undefined) ofResource.set(finding.rule_id, [finding]);
    else sameRule.push(finding);
    return complete;
  };
  return { take, end, total: () => total };
}

const RESULTS: { [status in Finding['status']]: Result } = { fail: 'fail', error: 'error', suppressed: 'skipped', pass: 'pass' };
const GRAVEST: readonly Result[] = ['fail', 'error', 'skipped', 'pass'];

/** One test for all findings of a rule on a resource; the most severe result decides. */
function caseOf(findings: readonly Finding[]): TestCase {
  const result = GRAVEST.find((candidate) => findings.some(({ status }) => RESULTS[status] === candidate)) ?? 'pass';
  const deciding = findings.filter(({ status }) => RESULTS[status] === result);
  const [first] = deciding;
  if (first === undefined) throw new RangeError('a test case needs a finding');
  return {
    name: `${first.rule_id} ${printable(first.title)}`,
    classname: resourceName(first.resource),
    ...(first.location !== null && { file: filePath(first.location.file), line: first.location.line }),
    result,
    body: bodyOf(result, deciding, first),
  };
}

function bodyOf(result: Result, findings: readonly Finding[], first: Finding): string {
  if (result === 'pass') return '';
  if (result === 'skipped') return `<skipped message="${xml(printable(first.suppression?.reason ?? ''))}"/>`;
  const lines = findings.map((finding) => `${placeOf(finding.location, resourceName(finding.resource))} ${printable(finding.message)}`);
  const tag = result === 'fail' ? 'failure' : 'error';
  const fix = result === 'fail' ? `\n${printable(first.fix)}` : '';
  return `<${tag} message="${xml(printable(first.message))}" type="${first.severity}">${xml(lines.join('\n') + fix)}</${tag}>`;
}

function errorCase({ code, message, location }: InputError): TestCase {
  return {
    name: code,
    classname: location === null ? 'input' : printable(filePath(location.file)),
    ...(location !== null && { file: filePath(location.file), line: location.line }),
    result: 'error',
    body: `<error message="${xml(printable(message))}" type="${code}">${xml(placeOf(location, 'input'))}</error>`,
  };
}

/** CI systems count skipped cases, so a reader sees that there was something. */
function uncheckedCase({ kind, count }: Summary['unchecked'][number]): TestCase {
  const message = `No selected rule covers the kind ${printable(kind)}: ${plural(count, 'resource')} not checked.`;
  return skippedCase(`${printable(kind)}: ${plural(count, 'resource')}`, message);
}

function undecidedCase({ rule_id, title, resource, location, message }: UndecidedCheck): TestCase {
  return {
    ...skippedCase(`${rule_id} ${printable(title)}`, printable(message), resourceName(resource)),
    ...(location !== null && { file: filePath(location.file), line: location.line }),
  };
}

function noteCase({ code, message }: Note): TestCase {
  return skippedCase(code, printable(message));
}

function exceptionCase(text: string): TestCase {
  return skippedCase('exceptions', text, 'exceptions');
}

function skippedCase(name: string, message: string, classname = 'not checked'): TestCase {
  return { name, classname, result: 'skipped', body: `<skipped message="${xml(message)}"/>` };
}

function suiteOf(name: string, cases: readonly TestCase[]): string {
  const count = (result: Result) => cases.filter((testCase) => testCase.result === result).length;
  const counts = `tests="${cases.length}" failures="${count('fail')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return `<testsuite name="${xml(printable(name))}" ${counts}>\n${cases.map(caseText).join('')}</testsuite>\n`;
}

function caseText({ name, classname, file, line, body }: TestCase): string {
  const place = file === undefined ? '' : ` file="${xml(printable(file))}" line="${line}"`;
  const attributes = `name="${xml(name)}" classname="${xml(classname)}"${place}`;
  return body === '' ? `<testcase ${attributes}/>\n` : `<testcase ${attributes}>${body}</testcase>\n`;
}
