import type { InputError } from '../../errors.js';
import { countException, exceptionMembers, newExceptionTallies } from '../../evaluate/exceptions/exception-counts.js';
import { type EvaluationEvent, type ExceptionSummary, type Finding, findingBatch, type Score, type Summary } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import type { Rule, Severity } from '../../rule/index.js';
import type { ReportContext, Reporter } from '../reporter.js';

/** A run for the tests of reporters. */
export interface Run {
  findings: Finding[];
  errors: InputError[];
  notes: Note[];
  score: Score;
  summary: Summary;
  more?: { [member: string]: unknown };
  about?: string[];
}

export const RULES: Rule[] = [
  rule('CS-001', 'CRITICAL', 'Containers do not run privileged', 'Set securityContext.privileged to false.'),
  rule('CS-002', 'MEDIUM', 'Containers forbid privilege escalation', 'Set allowPrivilegeEscalation: false on every container.'),
  rule('SP-003', 'HIGH', 'Secrets are not literals in manifests', 'Read the value from a Secret.'),
  rule('RL-004', 'LOW', 'Deployments run more than one replica', 'Set replicas to 2 or more.'),
];

function rule(id: string, severity: Severity, title: string, fix: string): Rule {
  return {
    id,
    category: id.slice(0, 2),
    severity,
    title,
    description: `Why it matters: ${title.toLowerCase()}.`,
    targets: ['PodSpec'],
    logic: [{ targets: ['PodSpec'], expression: 'true' }],
    fix,
    frameworks: ['PSS-BASELINE', 'CIS-K8S-1.10:5.2.2'],
    references: ['https://kubernetes.io/docs/concepts/security/pod-security-standards/'],
    peers: [],
  };
}

export function finding(ruleId: string, more: Partial<Finding> = {}): Finding {
  const of = RULES.find((candidate) => candidate.id === ruleId);
  if (of === undefined) throw new Error(`The fixture has no rule ${ruleId}.`);
  return {
    rule_id: of.id,
    category: of.category,
    severity: of.severity,
    title: of.title,
    status: 'fail',
    resource: { api_version: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    location: { file: 'deploy/web.yaml', line: 12, column: 9 },
    path: '/spec/template/spec/containers/0/securityContext/privileged',
    message: `${of.title}: container "app" does.`,
    fix: of.fix,
    frameworks: of.frameworks,
    ...more,
  };
}

/** A run of these findings, with the counts that go with them and a score of its own. */
export function run(findings: Finding[], more: Partial<Run> = {}): Run {
  const errors = more.errors ?? [];
  const failing = findings.filter(({ status }) => status === 'fail');
  const count = (test: (finding: Finding) => boolean) => failing.filter(test).length;
  return {
    findings,
    errors,
    notes: [],
    score: {
      overall: 69,
      by_category: { CS: 77.9, SP: 90.5, RL: null },
      grade: 'D',
      score_without_waivers: 69,
      coverage: 1,
      low: 69,
      high: 69,
    },
    summary: {
      resources: 3,
      unchecked: [],
      rules: RULES.length,
      findings: failing.length,
      suppressed: findings.filter(({ status }) => status === 'suppressed').length,
      ...suppressedBy(findings),
      errors: errors.length + findings.filter(({ status }) => status === 'error').length,
      by_severity: {
        CRITICAL: count(({ severity }) => severity === 'CRITICAL'),
        HIGH: count(({ severity }) => severity === 'HIGH'),
        MEDIUM: count(({ severity }) => severity === 'MEDIUM'),
        LOW: count(({ severity }) => severity === 'LOW'),
        INFO: count(({ severity }) => severity === 'INFO'),
      },
      by_category: {
        CS: count(({ category }) => category === 'CS'),
        SP: count(({ category }) => category === 'SP'),
        RL: count(({ category }) => category === 'RL'),
      },
    },
    ...more,
  };
}

function suppressedBy(findings: readonly Finding[]): ExceptionSummary {
  const tallies = newExceptionTallies();
  for (const one of findings) countException(tallies, one);
  return exceptionMembers(tallies);
}

/** One run that has everything: several files, resources and severities, a suppressed finding, one without a file, errors. */
export const EVERYTHING: Run = run(
  [
    finding('CS-001'),
    finding('CS-002', {
      location: { file: 'deploy/web.yaml', line: 12, column: 9 },
      message: 'Container "app" may gain more privileges than its parent.',
    }),
    finding('CS-001', {
      resource: { api_version: 'v1', kind: 'Pod', namespace: null, name: 'debug' },
      location: { file: 'pods.yaml', line: 3, column: 1 },
    }),
    finding('SP-003', {
      status: 'suppressed',
      location: { file: 'pods.yaml', line: 30, column: 5 },
      suppression: { source: 'config', reason: 'rotated daily', expires: '2027-01-31' },
    }),
    finding('RL-004', { status: 'pass', location: { file: 'pods.yaml', line: 31, column: 1 } }),
    finding('SP-003', { status: 'error', location: { file: 'pods.yaml', line: 40, column: 1 }, message: 'no such overload: int + string' }),
    finding('SP-003', {
      resource: { api_version: 'terraform', kind: 'aws_s3_bucket', namespace: null, name: 'module.logs.aws_s3_bucket.this[0]' },
      location: null,
      message: 'The access key is written into the resource.',
    }),
  ],
  {
    errors: [
      {
        code: 'yaml-syntax',
        message: 'A tab stands where indentation is expected; use spaces.',
        location: { file: 'broken.yaml', line: 3, column: 7 },
      },
      { code: 'path-not-found', message: 'There is no file or directory nowhere.', location: null },
    ],
    score: {
      overall: 69,
      by_category: { CS: 77.9, SP: 90.5, RL: null },
      grade: 'D',
      score_without_waivers: 64.2,
      coverage: 0.9231,
      low: 48.4,
      high: 69,
    },
  },
);

/** A run over the objects of a cluster, which do not come from files. */
export const SCAN: Run = run(
  [
    finding('CS-001', { location: null }),
    finding('CS-002', { location: null }),
    finding('CS-001', { location: null, resource: { api_version: 'v1', kind: 'Pod', namespace: 'shop', name: 'debug' } }),
  ],
  {
    errors: [{ code: 'malformed', message: 'Pod shop/debug: /spec is not a mapping.', location: null }],
    more: { cluster: { version: 'v1.34.1', context: 'dev' } },
    about: ['Cluster dev (v1.34.1), all namespaces.'],
  },
);

/** Names that try to break out of their place in every format. */
export const HOSTILE_NAMES = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u009b2Jcleared',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onclick='alert(1)",
  ']]><!--',
  '&amp;&#x3c;',
  '::error file=x::injected',
  'a\n::warning::next line',
  '%0A::error::encoded',
  '| a | b |',
  '`code` **bold** [link](https://evil.example)',
  '@everyone #1 https://evil.example www.evil.example',
  '<details><summary>',
  '../../etc/passwd',
  'C:\\Windows\\system32',
  'a b%20ü.yaml',
  '\u202egnp.exe',
  '\ud800 lone',
  '\u0000\u0001\ufffe',
  '__proto__',
  '{0} {{1}} $(x)',
  '漢字テスト 🦄',
] as const;

/** A run in which every string of the input is hostile. */
export function hostileRun(names: readonly string[] = HOSTILE_NAMES): Run {
  const findings = names.flatMap((name) => [
    finding('CS-001', {
      resource: { api_version: name, kind: name, namespace: name, name },
      location: { file: name, line: 1, column: 1 },
      path: `/${name}`,
      message: `Container "${name}" runs privileged.`,
    }),
    finding('SP-003', {
      status: 'suppressed',
      location: { file: name, line: 2, column: 1 },
      suppression: { source: 'comment', reason: name },
    }),
    finding('SP-003', {
      status: 'error',
      resource: { api_version: 'terraform', kind: name, namespace: null, name },
      location: null,
      message: name,
    }),
  ]);
  return run(findings, {
    errors: names.map((name) => ({ code: 'yaml-syntax', message: `In ${name}.`, location: { file: name, line: 1, column: 1 } })),
  });
}

export const CONTEXT: ReportContext = { version: '1.2.3', rules: RULES, colour: false, width: 100, verbose: false };

/** The events of a run, its findings cut into batches at these places. */
export async function* eventsAt(of: Run, cuts: readonly number[] = []): AsyncGenerator<EvaluationEvent, void, void> {
  const places = [0, ...[...cuts].sort((a, b) => a - b), of.findings.length];
  for (let i = 1; i < places.length; i++) yield { type: 'findings', batch: findingBatch(of.findings.slice(places[i - 1], places[i])) };
  const { findings: _, ...end } = of;
  yield { type: 'end', ...end };
}

/** What a reporter writes for a run. */
export async function reported(
  reporter: Reporter,
  of: Run,
  context: Partial<ReportContext> = {},
  cuts: readonly number[] = [],
): Promise<string> {
  let written = '';
  await reporter(
    eventsAt(of, cuts),
    {
      write: (chunk) => {
        written += chunk;
      },
    },
    { ...CONTEXT, ...context },
  );
  return written;
}
