/**
 * Which tests prove which sentence of the gate's specification. Tests name the sentences that they prove in their titles, as
 * `(gate/auth.3)`; this module collects them. A sentence without a test, and a name that is not one, are errors.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The numbered sentences, in our own words, by part and number. */
const SENTENCES: { readonly [part: string]: { title: string; sentences: { readonly [number: string]: string } } } = {
  service: {
    title: 'What the service does',
    sentences: numbered(
      'Adapters submit proposals and get a verdict on each of them.',
      'The service records decisions and reports in a signed, linked, numbered chain.',
      'The service exports the chain as jsonl, csv, and oscal.',
      'Bodies are JSON. Errors are problem documents.',
      'Routes of features that are not implemented do not exist.',
      'The server and the command run the same check and return the same verdict.',
      'In shadow mode, the service tells every caller to proceed. Adapters act on `effective_decision`.',
      'An adapter that fails closed treats every answer without a decision as a refusal.',
      'Record numbers have no gaps, even with many concurrent submissions.',
    ),
  },
  record: {
    title: 'Attributes of an evidence record',
    sentences: numbered(
      '`seq` counts from the start of the chain without gaps.',
      'Each record contains the hash of the previous record.',
      'Each record has a type.',
      '`dev` marks every record that is written in dev mode.',
      'Only results have `assurance`.',
      'In dev mode, the reporter is `dev-unauthenticated`.',
    ),
  },
  state: {
    title: 'States and transitions',
    sentences: numbered(
      'A decision uses up its proposal id and is appended to the chain.',
      'A used id always gets 409 and never a second decision.',
      'A rate-limited request does not use up its id and writes nothing.',
      'A rotation starts an overlap of two valid secrets and is recorded.',
      'The end of a rotation invalidates the old secret and is recorded.',
      'A registration shows a new secret once and is recorded.',
    ),
  },
  post: {
    title: 'Statuses of POST /v1/proposals',
    sentences: {
      200: 'The gate decided.',
      202: 'The action needs an approval, and the decision is enforced.',
      401: 'Authentication failed.',
      409: 'The id has already been used.',
      413: 'The body is too large.',
      422: 'The body does not match the schema.',
      429: 'A rate limit is exceeded.',
    },
  },
  result: {
    title: 'POST /v1/proposals/{id}/result',
    sentences: numbered('The body contains one of five statuses.', 'The assurance depends on the enforcement of the proposal.'),
  },
  export: {
    title: 'GET /v1/evidence',
    sentences: numbered(
      'An export that is limited to some record types cannot be verified, and explains why.',
      'An oscal export cannot be limited to some record types.',
      'An answer contains at most 50,000 records.',
    ),
  },
  ready: {
    title: 'GET /readyz',
    sentences: numbered(
      'The service is not ready without a signing key.',
      'The service is not ready while the policy bundle has errors.',
      'The service is not ready if no adapter can authenticate. During a rotation, it is ready even if the variable of the old secret no longer exists.',
    ),
  },
  absent: { title: 'Not routable', sentences: numbered('Routes that are not implemented get the same answer as any unknown path.') },
  canonical: {
    title: 'Canonical string',
    sentences: numbered(
      'The method.',
      'The path without the query.',
      'The timestamp.',
      'The nonce, or an empty line if the request has no nonce.',
      'The digest of the body.',
    ),
  },
  auth: {
    title: 'Authentication',
    sentences: numbered(
      'A timestamp outside the allowed clock skew is refused.',
      'Unknown adapters and invalidated secrets get AG-IDN-005.',
      'Other failures have separate codes.',
      'Authentication is checked before rate limits.',
      'The service does not store nonces: a replay gets 409.',
      'Secrets have at least 32 characters and come from environment variables.',
      'A registration shows its secret once. Lists only show states.',
      'During a rotation, both secrets are valid.',
      'Registrations and rotations are recorded without the secret.',
      'Dev mode does not require signatures, marks records, prints a warning, and only listens on loopback.',
    ),
  },
  events: {
    title: 'Events',
    sentences: numbered(
      'A decision appends a verdict. The answer contains its identifiers.',
      'A report appends a result with its assurance.',
      'Registering or rotating an adapter appends an admin action.',
      'A 429 appends nothing.',
      'The two numbers of a decision are the record numbers of its proposal and its verdict.',
      'The service does not deliver events. It has no route for them.',
    ),
  },
  errors: {
    title: 'Errors',
    sentences: numbered(
      'Problem documents never echo the input.',
      'Each kind of refusal has its own status.',
      'AG-IDN-005 covers unknown adapters and rotated secrets.',
      'A 429 answer has Retry-After and a problem document about the limit.',
      'All other problems have a type and a code.',
    ),
  },
  limits: {
    title: 'Rate limits',
    sentences: numbered(
      '0 turns a limit off. Negative values are refused when the configuration is loaded.',
      'A bucket holds the requests of three seconds.',
      'Limits apply per process.',
      'A 429 answer writes nothing and does not use up the id.',
      'Both limits apply to POST /v1/proposals.',
      '64 KB means 65,536 bytes.',
    ),
  },
  versioning: {
    title: 'Versioning',
    sentences: numbered(
      'Paths begin with /v1, except those of the probes.',
      'Missing routes can be added later. The signature already covers the nonce.',
      'Within a version, the server refuses unknown members.',
    ),
  },
  config: {
    title: 'Configuration',
    sentences: numbered('`api.max_clock_skew_seconds`', '`api.rate_limit.per_adapter_rps`', '`api.rate_limit.per_principal_rps`'),
  },
};

interface Proof {
  title: string;
  file: string;
}

/**
 * The page that lists every sentence with its tests.
 * @throws {Error} when a sentence has no test, or a test names none of them
 */
export function conformancePage(root: string): string {
  const proofs = proofsIn(root);
  const known = Object.entries(SENTENCES).flatMap(([part, { sentences }]) => Object.keys(sentences).map((number) => `${part}.${number}`));
  const missing = known.filter((name) => !proofs.has(name));
  const unknown = [...proofs.keys()].filter((name) => !known.includes(name));
  if (missing.length > 0) throw new Error(`No test proves these sentences: ${missing.map((name) => `gate/${name}`).join(', ')}.`);
  if (unknown.length > 0) throw new Error(`Tests refer to unknown sentences: ${unknown.map((name) => `gate/${name}`).join(', ')}.`);
  const parts = Object.entries(SENTENCES).map(([part, { title, sentences }]) => {
    const rows = Object.entries(sentences).map(([number, text]) => row(`${part}.${number}`, text, proofs.get(`${part}.${number}`) ?? []));
    return [`## ${title}`, `| sentence | what it says | tests |\n|---|---|---|\n${rows.join('\n')}`].join('\n\n');
  });
  return `${['# Conformance of the gate', '<!-- Generated by `npm run docs`. Do not edit. -->', INTRODUCTION, ...parts].join('\n\n')}\n`;
}

const INTRODUCTION =
  'This page lists every numbered sentence of the specification of the gate, in our words, with the tests that prove it. The title of a test contains the numbers of its sentences. A sentence without a test fails the build.';

function row(name: string, text: string, proofs: readonly Proof[]): string {
  const tests = proofs.map(({ title, file }) => `[${title.replaceAll('|', '\\|')}](../${file})`);
  return `| <a id="${name.replace('.', '-')}"></a>gate/${name} | ${text} | ${tests.join('<br>')} |`;
}

/** By name, in the order of files and titles. */
function proofsIn(root: string): Map<string, Proof[]> {
  const proofs = new Map<string, Proof[]>();
  for (const file of testFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, , title = ''] of text.matchAll(TITLE)) {
      const shown = title.replaceAll(NAMES, '').replaceAll("\\'", "'").trim();
      for (const [, name = ''] of title.matchAll(NAME)) {
        const list = proofs.get(name) ?? [];
        if (!list.some((proof) => proof.title === shown)) list.push({ title: shown, file });
        proofs.set(name, list);
      }
    }
  }
  return proofs;
}

/** A text in quotes that names a sentence. */
const TITLE = /(['"`])((?:\\.|(?!\1)[^\n])*\(gate\/(?:\\.|(?!\1)[^\n])*)\1/g;
const NAMES = /\s*\((?:gate\/[a-z]+\.[0-9]+(?:, )?)+\)/g;
const NAME = /gate\/([a-z]+\.[0-9]+)/g;

function testFiles(root: string): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'));
  const files = [...packages, join(root, 'test')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => relative(root, join(folder, file))),
  );
  return files.filter((file) => file.endsWith('.test.ts') && !/\.(long|crash)\.test\.ts$/.test(file)).sort();
}

function numbered(...texts: string[]): { [number: string]: string } {
  return Object.fromEntries(texts.map((text, index) => [String(index + 1), text]));
}
