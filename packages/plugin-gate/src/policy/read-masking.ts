import { createMasker, MASKING_RULES_SCHEMA, type Masker, type MaskingRules, maskingBreaches } from '../masking/index.js';
import { type BundleError, policyError } from './bundle.js';
import { type BundleFiles, shownPath } from './files.js';
import { readBundleYaml } from './read-yaml.js';

export const MASKING_FILE = 'masking.yaml';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['apiVersion', 'kind', 'spec'],
  properties: { apiVersion: { const: 'bylaw.dev/v1' }, kind: { const: 'Masking' }, spec: MASKING_RULES_SCHEMA },
};

/** Reads what the bundle masks in addition to the built-in set. */
export function readMasking(bundle: string, files: BundleFiles): { masker: Masker; errors: BundleError[] } {
  const content = files.get(MASKING_FILE);
  if (content === undefined) return { masker: createMasker(), errors: [] };
  const read = readBundleYaml(shownPath(bundle, MASKING_FILE), content, SCHEMA);
  if ('errors' in read) return { masker: createMasker(), errors: read.errors };
  const { spec } = read.value as { spec: MaskingRules }; // so the schema says
  const errors = maskingBreaches(spec).map(({ path, message }) => policyError(message, read.file.locate(['spec', ...path])));
  return { masker: createMasker(errors.length > 0 ? {} : spec), errors };
}
