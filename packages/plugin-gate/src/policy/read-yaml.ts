import { type SchemaCheck, schemaCheck } from '@bylaw/core/schema-check';
import { readYamlFile, type YamlFile } from '@bylaw/core/yaml-file';
import { asBundleError, type BundleError, POLICY_ERROR, policyError } from './bundle.js';

/** A file that fits its schema, or what is wrong with it. `value` is what the schema describes. */
export type ReadYaml = { file: YamlFile; value: unknown } | { errors: BundleError[] };

/** Reads one file of a bundle: UTF-8, YAML 1.2 without anchors, and its schema. `shown` is its path for people. */
export function readBundleYaml(displayPath: string, content: Uint8Array, schema: object): ReadYaml {
  const text = decode(content);
  if (text === undefined) return { errors: [policyError('The file is not valid UTF-8.', { file: displayPath, line: 1, column: 1 })] };
  let file: YamlFile;
  try {
    file = readYamlFile(displayPath, text, POLICY_ERROR, { anchors: 'refuse' });
  } catch (error) {
    return { errors: [asBundleError(error)] };
  }
  const breaches = checkOf(schema)(file.value);
  if (breaches.length > 0) return { errors: breaches.map(({ path, message }) => policyError(message, file.locate(path))) };
  return { file, value: file.value };
}

function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

const checks = new Map<object, SchemaCheck>();

function checkOf(schema: object): SchemaCheck {
  const check = checks.get(schema) ?? schemaCheck(schema);
  checks.set(schema, check);
  return check;
}
