import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { nearest } from '@bylaw/core/nearest';
import { type ApprovalNeed, type Bundle, type BundleError, type BundleTest, type Effect, type Policy, policyError } from './bundle.js';
import { type BundleFiles, BundleFilesError, bundleDigest, readBundleFiles, shownPath } from './files.js';
import { policyIndex } from './policy-index.js';
import { MASKING_FILE, readMasking } from './read-masking.js';
import { type ApprovalFile, approvalNeed, readPolicy } from './read-policy.js';
import { readTests } from './read-tests.js';
import { ISSUERS_FILE, REVOKED_FILE, readTrust } from './read-trust.js';
import { readBundleYaml } from './read-yaml.js';
import { BUNDLE_SCHEMA } from './schemas.js';

/** A bundle, unless there are errors. */
export interface ReadBundle {
  bundle?: Bundle;
  /** In the order of the files. */
  errors: BundleError[];
  /** What works and is likely not meant: `policy lint` shows it. */
  warnings: BundleError[];
}

/**
 * Reads, checks and compiles a bundle: a folder, or a tar archive. Its tests are read, and not yet run.
 * Never throws on any content.
 */
export async function readBundle(path: string): Promise<ReadBundle> {
  let files: BundleFiles;
  try {
    files = await readBundleFiles(path);
  } catch (error) {
    if (error instanceof BundleFilesError) return { errors: [error.error], warnings: [] };
    throw error;
  }
  return compileBundle(path, files);
}

const BUNDLE_FILE = 'bundle.yaml';

interface BundleFile {
  id: string;
  version: string;
  default?: Effect;
  approval?: ApprovalFile;
  budget?: { max_age_seconds?: number; on_exceed?: 'deny' | 'require_approval' };
  mandate?: { max_lifetime_hours?: number };
}

function compileBundle(path: string, files: BundleFiles): ReadBundle {
  const displayPath = (file: string) => shownPath(path, file);
  const head = readHead(path, files);
  const errors: BundleError[] = [...strangeFiles(path, files), ...head.errors];
  const policies = readPolicies(displayPath, files, head.approval);
  const { trust, errors: trustErrors } = readTrust(path, files);
  const { masker, errors: maskingErrors } = readMasking(path, files);
  const tests = readAllTests(displayPath, files);
  errors.push(...policies.errors, ...trustErrors, ...maskingErrors, ...tests.errors);
  const { warnings } = policies;
  if (errors.length > 0 || head.file === undefined) return { errors, warnings };
  const { id, version, default: byDefault = 'deny', budget = {}, mandate = {} } = head.file;
  const bundle: Bundle = {
    id,
    version,
    digest: bundleDigest(files),
    default: byDefault,
    approval: head.approval,
    budget: { maxAgeSeconds: budget.max_age_seconds ?? 300, onExceed: budget.on_exceed ?? 'deny' },
    mandate: { maxLifetimeHours: mandate.max_lifetime_hours ?? 720 },
    trust,
    policies: policies.policies,
    candidates: policyIndex(policies.policies),
    masker,
    tests: tests.tests,
  };
  return { bundle, errors, warnings };
}

function readHead(path: string, files: BundleFiles): { file?: BundleFile; approval: ApprovalNeed | null; errors: BundleError[] } {
  const content = files.get(BUNDLE_FILE);
  if (content === undefined) return { approval: null, errors: [noHead(path, files)] };
  const read = readBundleYaml(shownPath(path, BUNDLE_FILE), content, BUNDLE_SCHEMA);
  if ('errors' in read) return { approval: null, errors: read.errors };
  const file = read.value as BundleFile; // so the schema says
  const approval = file.approval === undefined ? null : approvalNeed(file.approval);
  const asks = [
    ...(file.default === 'require_approval' ? [['default']] : []),
    ...(file.budget?.on_exceed === 'require_approval' ? [['budget', 'on_exceed']] : []),
  ];
  const errors =
    approval === null
      ? asks.map((place) => policyError('No approvers are defined. Add `approval` to this file.', read.file.locate(place)))
      : [];
  return { file, approval, errors };
}

/** An archive of the folder, not of what is in it, is the usual mistake. */
function noHead(path: string, files: BundleFiles): BundleError {
  const inside = [...files.keys()].find((file) => file.endsWith(`/${BUNDLE_FILE}`));
  const hint = inside === undefined ? '' : ` Found ${inside}: pass that folder, or archive its content.`;
  return policyError(`The bundle has no ${BUNDLE_FILE}.${hint}`, { file: path, line: 1, column: 1 });
}

function readPolicies(
  displayPath: (file: string) => string,
  files: BundleFiles,
  approval: ApprovalNeed | null,
): { policies: Policy[]; errors: BundleError[]; warnings: BundleError[] } {
  const evaluator = createEvaluator();
  const byId = new Map<string, Policy>();
  const errors: BundleError[] = [];
  const warnings: BundleError[] = [];
  for (const [file, content] of inFolder(files, 'policies')) {
    const read = readPolicy(displayPath(file), content, evaluator, approval);
    errors.push(...read.errors);
    warnings.push(...read.warnings);
    if (read.policy === undefined) continue;
    const first = byId.get(read.policy.id);
    if (first) errors.push(policyError(`The id ${read.policy.id} is already used in ${first.location.file}.`, read.policy.location));
    else byId.set(read.policy.id, read.policy);
  }
  return { policies: [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), errors, warnings };
}

function readAllTests(displayPath: (file: string) => string, files: BundleFiles): { tests: BundleTest[]; errors: BundleError[] } {
  const read = inFolder(files, 'tests').map(([file, content]) => readTests(displayPath(file), content));
  return { tests: read.flatMap(({ tests }) => tests), errors: read.flatMap(({ errors }) => errors) };
}

function inFolder(files: BundleFiles, folder: string): [string, Uint8Array][] {
  return [...files].filter(([file]) => isYamlIn(file, folder)).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isYamlIn(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`) && file.endsWith('.yaml');
}

/** A file that nothing reads is a policy that somebody believes to be in force. */
function strangeFiles(path: string, files: BundleFiles): BundleError[] {
  const known = [BUNDLE_FILE, ISSUERS_FILE, REVOKED_FILE, MASKING_FILE];
  return [...files.keys()]
    .filter((file) => !known.includes(file) && !file.endsWith('.md') && !isYamlIn(file, 'policies') && !isYamlIn(file, 'tests'))
    .sort()
    .map((file) => {
      const near = file.endsWith('.yml') ? `${file.slice(0, -4)}.yaml` : nearest(file, known);
      const hint =
        near === undefined ? `A bundle may contain policies/*.yaml, tests/*.yaml, *.md and ${known.join(', ')}.` : `Did you mean ${near}?`;
      return policyError(`Unknown file in the bundle. ${hint}`, { file: shownPath(path, file), line: 1, column: 1 });
    });
}

/** The packaged bundle of dev mode: reads are allowed, production needs an approval, destruction is denied. */
export const SAMPLE_BUNDLE = fileURLToPath(new URL('../../bundles/dev-sample', import.meta.url));
