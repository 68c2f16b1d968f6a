/**
 * Which tests prove which sentence of the gate's specification. Tests name the sentences that they prove in their titles, as
 * `(gate/auth.3)`; this module collects them. A sentence without a test, and a name that is none, are errors.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The numbered sentences, in our own words, by part and number. */
const SENTENCES: { readonly [part: string]: { title: string; sentences: { readonly [number: string]: string } } } = {
  service: {
    title: 'What the service does',
    sentences: numbered(
      'Adapters submit proposals, and get a verdict on each.',
      'Decisions and reports are recorded in a signed, linked, numbered chain.',
      'The chain is exported as jsonl, csv and oscal.',
      'Bodies are JSON, errors are problem documents.',
      'What is not built is absent.',
      'Server and command call the same check, and give the same verdict.',
      'In shadow mode every caller is told to proceed; adapters act on `effective_decision`.',
      'For an adapter that fails closed, all that is no decision is a refusal.',
      'Numbers stay without a hole when many submit at once.',
    ),
  },
  record: {
    title: 'Attributes of an evidence record',
    sentences: numbered(
      '`seq` counts from the start of the chain without a hole.',
      'Each record links to the hash of the one before.',
      'Each has a type.',
      '`dev` marks all that is written in dev mode.',
      '`assurance` stands in results only.',
      'In dev mode the reporter is `dev-unauthenticated`.',
    ),
  },
  state: {
    title: 'States and transitions',
    sentences: numbered(
      'A decision uses up its proposal id, and is appended.',
      'A used id is answered 409, for ever, with no second decision.',
      'A rate limit uses up no id and writes nothing.',
      'A rotation starts an overlap of two secrets, and is recorded.',
      'Its end takes the old secret out of force, and is recorded.',
      'A registration shows a new secret once, and is recorded.',
    ),
  },
  post: {
    title: 'Statuses of POST /v1/proposals',
    sentences: {
      200: 'The normal answer.',
      202: 'An approval is enforced.',
      401: 'Authentication fails.',
      409: 'The id was used.',
      413: 'The body is too large.',
      422: 'The body does not fit the schema.',
      429: 'A limit is spent.',
    },
  },
  result: {
    title: 'POST /v1/proposals/{id}/result',
    sentences: numbered('The body has one of five statuses.', 'The assurance follows the enforcement of the proposal.'),
  },
  export: {
    title: 'GET /v1/evidence',
    sentences: numbered(
      'An export of some types cannot be verified, and says why.',
      'oscal takes no types.',
      'An answer has at most 50,000 records.',
    ),
  },
  ready: {
    title: 'GET /readyz',
    sentences: numbered(
      'Not ready without a signing key.',
      'Not ready while the bundle has errors.',
      'Not ready when no adapter can authenticate; an overlap whose old variable is gone is ready.',
    ),
  },
  absent: { title: 'Not routable', sentences: numbered('Routes that are not built are answered as any unknown path.') },
  canonical: {
    title: 'Canonical string',
    sentences: numbered(
      'The method.',
      'The path without the query.',
      'The timestamp.',
      'The nonce, empty when not sent.',
      'The digest of the body.',
    ),
  },
  auth: {
    title: 'Authentication',
    sentences: numbered(
      'A timestamp outside of the allowed difference is refused.',
      'Unknown adapters and secrets out of force are AG-IDN-005.',
      'Other failures have codes of their own.',
      'Authentication comes before limits.',
      'There is no memory of nonces: a replay gets 409.',
      'Secrets have at least 32 characters and stand in variables.',
      'A registration shows its secret once; lists show states only.',
      'During a rotation both secrets verify.',
      'Registrations and rotations are recorded without the secret.',
      'Dev mode asks for no signature, marks records, warns, and is for loopback.',
    ),
  },
  events: {
    title: 'Events',
    sentences: numbered(
      'A decision appends a verdict, whose identifiers are answered.',
      'A report appends a result with its assurance.',
      'Registering or rotating an adapter appends an admin action.',
      'A 429 appends nothing.',
      'The two numbers of a decision are those of its proposal and its verdict.',
      'Events are not delivered; their route is absent.',
    ),
  },
  errors: {
    title: 'Errors',
    sentences: numbered(
      'Problem documents never echo the input.',
      'Each kind of refusal has its status.',
      'AG-IDN-005 is for unknown adapters and rotated secrets.',
      '429 comes with Retry-After and the document of the limit.',
      'All other problems have a type and a code.',
    ),
  },
  limits: {
    title: 'Rate limits',
    sentences: numbered(
      '0 turns a limit off, less is refused at load.',
      'A bucket holds three seconds of requests.',
      'Limits are per process.',
      'A 429 writes nothing and uses up no id.',
      'Both limits hold on POST /v1/proposals.',
      '64 KB are 65,536 bytes.',
    ),
  },
  versioning: {
    title: 'Versioning',
    sentences: numbered(
      'Paths begin with /v1, but for the probes.',
      'Absent routes may come; the nonce is signed already.',
      'Within a version the server refuses members that it does not know.',
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
  if (missing.length > 0) throw new Error(`No test names: ${missing.map((name) => `gate/${name}`).join(', ')}.`);
  if (unknown.length > 0) throw new Error(`Tests name sentences that there are not: ${unknown.map((name) => `gate/${name}`).join(', ')}.`);
  const parts = Object.entries(SENTENCES).map(([part, { title, sentences }]) => {
    const rows = Object.entries(sentences).map(([number, text]) => row(`${part}.${number}`, text, proofs.get(`${part}.${number}`) ?? []));
    return [`## ${title}`, `| sentence | what it says | tests |\n|---|---|---|\n${rows.join('\n')}`].join('\n\n');
  });
  return `${['# Conformance of the gate', '<!-- Generated by `npm run docs`. Do not edit. -->', INTRODUCTION, ...parts].join('\n\n')}\n`;
}

const INTRODUCTION =
  'Every numbered sentence of the specification of the gate, in our words, with the tests that prove it. A test names its sentences in its title; one without a test fails the build.';

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
