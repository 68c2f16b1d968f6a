import { CORE_ERRORS, type InputError } from '../../errors.js';
import type { Finding } from '../../evaluate/index.js';
import { printable } from '../../printable.js';
import type { Severity } from '../../rule/index.js';
import { eachBatch, type Reporter } from '../reporter.js';
import { resourceName } from '../wording.js';
import { fingerprint } from './fingerprint.js';
import { filePath } from './uri.js';

const SEVERITIES: { [severity in Severity]: string } = {
  CRITICAL: 'blocker',
  HIGH: 'critical',
  MEDIUM: 'major',
  LOW: 'minor',
  INFO: 'info',
};

/**
 * GitLab Code Quality (https://docs.gitlab.com/ci/testing/code_quality/): an array of issues, one per line, streamed. Holds the failing
 * findings, the rules that could not be evaluated and the input that could not be read. Every fingerprint is unique in the report.
 */
export const gitlab: Reporter = async (events, out) => {
  const unique = uniqueFingerprints();
  let before = '\n';
  const write = async (issues: readonly unknown[]) => {
    if (issues.length === 0) return;
    await out.write(before + issues.map((issue) => JSON.stringify(issue)).join(',\n'));
    before = ',\n';
  };
  await out.write('[');
  const end = await eachBatch(events, (findings) =>
    write(findings.filter(({ status }) => status === 'fail' || status === 'error').map((finding) => issueOf(finding, unique(finding)))),
  );
  await write(end.errors.map((error, index) => issueOfError(error, index)));
  await out.write(before === '\n' ? ']\n' : '\n]\n');
};

/**
 * A resource that is written twice in a file gives the same finding twice: they are numbered. Files come one after another, and a file that
 * several kustomizations use comes again for each.
 */
function uniqueFingerprints(): (finding: Finding) => string {
  let last: Finding['location'] | undefined;
  let seen = new Map<string, number>();
  return (finding) => {
    const { location } = finding;
    if (location?.file !== last?.file || location?.rendered_from !== last?.rendered_from) seen = new Map();
    last = location;
    const place = [location?.file ?? '', ...(location?.rendered_from === undefined ? [] : [location.rendered_from])];
    const base = fingerprint(finding, ...place);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : fingerprint(finding, ...place, count);
  };
}

function issueOf(finding: Finding, id: string) {
  const failed = finding.status === 'error' ? 'The rule could not be evaluated: ' : '';
  return {
    description: `${finding.rule_id}: ${failed}${printable(finding.message)}`,
    check_name: finding.rule_id,
    fingerprint: id,
    severity: SEVERITIES[finding.severity],
    // a path is required: an object without a file is listed under its own name
    location:
      finding.location === null
        ? { path: resourceName(finding.resource), lines: { begin: 1 } }
        : { path: printable(filePath(finding.location.file)), lines: { begin: Math.max(1, finding.location.line) } },
  };
}

function issueOfError({ code, message, location }: InputError, index: number) {
  const identity: Finding = {
    rule_id: code,
    category: '',
    severity: 'CRITICAL',
    title: CORE_ERRORS[code]?.summary ?? code,
    status: 'error',
    resource: { api_version: '', kind: '', namespace: null, name: '' },
    location,
    path: message,
    message,
    fix: '',
    frameworks: [],
  };
  return { ...issueOf(identity, fingerprint(identity, location?.file ?? '', index)), description: printable(message) };
}
