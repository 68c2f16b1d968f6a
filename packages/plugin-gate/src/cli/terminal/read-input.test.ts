import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBundles, writeBundle } from '../../policy/bundle-files.test-support.js';
import { BUDGET, mandateOf, PROPOSAL } from '../../verdict/verdict.test-support.js';
import { type InputFiles, readInput } from './read-input.js';

let folder: string;

beforeAll(async () => {
  folder = await writeBundle({
    'proposal.json': PROPOSAL,
    'envelope.json': { proposal: PROPOSAL, budget: BUDGET },
    'budget.json': BUDGET,
    'mandate.json': mandateOf(),
    'bad.json': { ...PROPOSAL, environment: 's3cretValue!' },
    'bad-envelope.json': { proposal: { ...PROPOSAL, environment: 's3cretValue!' } },
    'bad-budget.json': { ...BUDGET, limit: -1 },
    'bad-mandate.json': { ...mandateOf(), s3cret: 1 },
    'twice.json': '{"id":"a","id":"b"}',
    'large.json': JSON.stringify({ x: 'x'.repeat(70_000) }),
  });
});

afterAll(removeBundles);

const inFolder = (files: InputFiles) =>
  Object.fromEntries(Object.entries(files).map(([part, file]) => [part, join(folder, file)])) as unknown as InputFiles; // the same members

const errorOf = (files: InputFiles) =>
  readInput(inFolder(files)).then(
    () => 'no error',
    (error: { code: string; message: string }) => `${error.code} ${error.message.replaceAll(`${folder}/`, '')}`,
  );

describe('the input of a command', () => {
  it('is a proposal or an envelope, with what other files add', async () => {
    const whole = { proposal: PROPOSAL, budget: BUDGET, mandate: mandateOf() };
    expect(await readInput(inFolder({ proposal: 'proposal.json' }))).toEqual({ proposal: PROPOSAL });
    expect(await readInput(inFolder({ proposal: 'envelope.json' }))).toEqual({ proposal: PROPOSAL, budget: BUDGET });
    expect(await readInput(inFolder({ proposal: 'proposal.json', budget: 'budget.json', mandate: 'mandate.json' }))).toEqual(whole);
    expect(await readInput(inFolder({ proposal: 'envelope.json', mandate: 'mandate.json' }))).toEqual(whole);
  });

  it.each<[InputFiles, string]>([
    [{ proposal: 'bad.json' }, 'AG-SCH-002 bad.json: /environment must match pattern "^[a-z0-9][a-z0-9-]{0,62}$".'],
    [{ proposal: 'bad.json', budget: 'budget.json' }, 'AG-SCH-002 bad.json: /environment must match pattern "^[a-z0-9][a-z0-9-]{0,62}$".'],
    [
      { proposal: 'bad-envelope.json' },
      'AG-SCH-002 bad-envelope.json: /proposal/environment must match pattern "^[a-z0-9][a-z0-9-]{0,62}$".',
    ],
    [{ proposal: 'proposal.json', budget: 'bad-budget.json' }, 'AG-SCH-002 bad-budget.json: /limit must be >= 0.'],
    [
      { proposal: 'proposal.json', mandate: 'bad-mandate.json' },
      'AG-SCH-002 bad-mandate.json: the document has a member that is not allowed.',
    ],
    [{ proposal: 'proposal.json', mandate: 'twice.json' }, 'AG-SCH-001 twice.json: An object has two members with the same name.'],
    [{ proposal: 'envelope.json', budget: 'budget.json' }, 'usage The envelope already has a budget.'],
    [{ proposal: 'large.json' }, 'AG-SCH-004 large.json is larger than 65536 bytes.'],
    [{ proposal: 'none.json' }, 'path-not-found Cannot read the file none.json.'],
  ])('is refused with the file and the path: %j', async (files, message) => {
    expect(await errorOf(files)).toBe(message);
  });
});
