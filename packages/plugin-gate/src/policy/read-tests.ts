import { isJsonObject, type Json, type JsonObject, readInstant } from '../json/index.js';
import { type BundleError, type BundleTest, policyError } from './bundle.js';
import { readBundleYaml } from './read-yaml.js';
import { TESTS_SCHEMA } from './schemas.js';

/** Where neither a test nor its file says when. */
const DEFAULT_AT = '2026-01-01T00:00:00.000Z';

interface TestsFile {
  base?: JsonObject;
  at?: string;
  tests: {
    name: string;
    input: JsonObject;
    at?: string;
    governance?: {
      score: number | null;
      findings?: JsonObject[];
      unchecked_kinds?: { kind: string; count: number }[];
      incomplete?: boolean;
    };
    expect: BundleTest['expect'];
  }[];
}

/** What the rule engine is to say, with what a test leaves out. */
function governanceOf({
  score,
  findings = [],
  unchecked_kinds = [],
  incomplete = false,
}: NonNullable<TestsFile['tests'][number]['governance']>) {
  const unchecked = unchecked_kinds.reduce((sum, { count }) => sum + count, 0);
  return { score, findings, unchecked, unchecked_kinds, incomplete };
}

/** Reads a file of tests. Each input is laid over the `base` of its file, as a JSON Merge Patch. */
export function readTests(displayPath: string, content: Uint8Array): { tests: BundleTest[]; errors: BundleError[] } {
  const read = readBundleYaml(displayPath, content, TESTS_SCHEMA);
  if ('errors' in read) return { tests: [], errors: read.errors };
  const { base = {}, at = DEFAULT_AT, tests } = read.value as TestsFile; // so the schema says
  const errors: BundleError[] = [];
  const all = tests.map((test, index): BundleTest => {
    const location = read.file.locate(['tests', index, 'name']);
    const instant = test.at ?? at;
    if (readInstant(instant) === undefined)
      errors.push(
        policyError(
          `\`at\` must be a timestamp such as ${DEFAULT_AT}.`,
          read.file.locate(test.at === undefined ? ['at'] : ['tests', index, 'at']),
        ),
      );
    const input = mergePatch(base, test.input);
    return {
      name: test.name,
      input: isJsonObject(input) ? input : {},
      at: instant,
      governance: test.governance && governanceOf(test.governance),
      expect: test.expect,
      location,
    };
  });
  return { tests: all, errors };
}

/** RFC 7396: members of the patch replace those of the target, null removes them. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
