import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock } from '@bylaw/core/clock';
import { loadConfig } from '@bylaw/core/config';
import type { Installation } from '@bylaw/core/installation';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GATE_SECTIONS } from '../../config/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import { HEAD, policyFile, writeBundle } from '../../policy/bundle-files.test-support.js';
import type { Mandate } from '../../proposal/index.js';
import { check, loadBundle } from '../../verdict/index.js';
import { bundleOf, mandateOf, noEvaluator, PROPOSAL, STRANGER, TRUST } from '../../verdict/verdict.test-support.js';
import type { MandateFlags } from './issue-mandate.js';
import { inspectFile, issueFromFlags, writeMandate } from './mandate-commands.js';
import { checkLines, issuerEntry, mandateLines } from './mandate-text.js';

const NOW = '2026-01-02T03:04:05.678Z';
const SIGNER_PEM = newKeyPem();
const SIGNER = signerFromPem(SIGNER_PEM);

let folder: string;
let installation: Installation;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-mandate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'issuer.key'), SIGNER_PEM);
  const loaded = await loadConfig({ cwd: folder, env: {}, plugins: [{ plugin: 'gate', sections: GATE_SECTIONS }] });
  const unused = () => Promise.reject(new Error('not needed'));
  installation = { version: '0', plugins: [], loaded, reload: unused, clock: fixedClock(NOW), catalogue: unused };
});

const at = (name: string) => join(folder, name);

const FLAGS: MandateFlags = {
  issuer: 'acme',
  subject: PROPOSAL.principal.id,
  delegate: 'deploy-bot',
  action: ['kubernetes.**'],
  resource: ['k8s://prod/**'],
  environment: ['production'],
  'reversible-only': false,
  'valid-for': '8h',
};

const issue = (flags: Partial<MandateFlags> & { bundle?: string } = {}) =>
  issueFromFlags(installation, { ...FLAGS, key: at('issuer.key'), ...flags });

async function inspect(mandate: Mandate, flags: { bundle?: string; proposal?: string; at?: string } = {}) {
  writeFileSync(at('mandate.json'), JSON.stringify(mandate));
  return inspectFile(installation, at('mandate.json'), flags);
}

const statuses = ({ checks }: Awaited<ReturnType<typeof inspect>>) =>
  Object.fromEntries(checks.map(({ check: name, status }) => [name, status]));
const codes = ({ checks }: Awaited<ReturnType<typeof inspect>>) => checks.flatMap(({ reasons }) => reasons.map(({ code }) => code));

/** Trusts the key of these tests. */
const trusting = (more: object = {}) =>
  writeBundle({
    'bundle.yaml': { ...HEAD, ...more },
    'policies/a.yaml': policyFile('a', { mandate: 'required' }),
    'trust/issuers.yaml': {
      apiVersion: 'bylaw.dev/v1',
      kind: 'TrustedIssuers',
      issuers: [{ issuer: 'acme', keys: [{ key_id: SIGNER.keyId, public_key: SIGNER.publicKey }] }],
    },
  });

describe('a mandate that is issued', () => {
  it('is accepted by the gate', async () => {
    const path = await trusting();
    const { mandate, missing } = await issue({ bundle: path, adapter: ['ci-*'], 'max-cost': 'USD.cents:500', purpose: 'Release 42' });
    expect(missing).toBeUndefined();
    expect(mandate).toMatchObject({
      v: 'svc-mandate/1',
      mandate_id: expect.stringMatching(/^m-[0-9a-z]{26}$/),
      key_id: SIGNER.keyId,
      scope: { actions: ['kubernetes.**'], resources: ['k8s://prod/**'], environments: ['production'], adapters: ['ci-*'] },
      limits: { max_cost: { unit: 'USD.cents', amount: 500 } },
      not_before: NOW,
      expires_at: '2026-01-02T11:04:05.678Z',
      purpose: 'Release 42',
    });
    const { bundle } = await loadBundle(path);
    if (!bundle) throw new Error('the bundle has errors');
    const { verdict } = await check({ proposal: PROPOSAL, mandate, at: NOW }, bundle, noEvaluator);
    expect(verdict).toMatchObject({ decision: 'ALLOW', mandate: { status: 'valid' } });
  });

  it('comes from a YAML file, which flags override', async () => {
    writeFileSync(
      at('m.yaml'),
      'mandate_id: m-7\nissuer: other\nkey_id: k-7\nsubject: ann\ndelegate: bot\nscope: {actions: [tool.*], resources: ["**"], environments: [staging]}\nlimits: {reversible_only: true}\nnot_before: 2026-03-02T08:00:00.000Z\nexpires_at: 2026-03-02T18:00:00.000Z\n',
    );
    const { mandate } = await issueFromFlags(installation, {
      key: at('issuer.key'),
      from: at('m.yaml'),
      issuer: 'acme',
      'reversible-only': false,
    });
    expect(mandate).toMatchObject({
      mandate_id: 'm-7',
      issuer: 'acme',
      limits: { reversible_only: true },
      expires_at: '2026-03-02T18:00:00.000Z',
    });
  });

  it.each<[string, Partial<MandateFlags>, RegExp]>([
    ['without an issuer', { issuer: undefined }, /issuer/],
    ['without an end', { 'valid-for': undefined }, /expires_at/],
    ['that ends before it begins', { 'valid-for': undefined, 'expires-at': '2026-01-01T00:00:00.000Z' }, /after \/not_before/],
    ['with a time that does not exist', { 'valid-for': undefined, 'expires-at': '2026-02-30T00:00:00.000Z' }, /expires_at is not a valid/],
    ['for longer than the limit', { 'valid-for': '721h' }, /more than 720 hours/],
    ['with a duration that is none', { 'valid-for': 'soon' }, /--valid-for/],
    ['with an action that cannot exist', { action: ['Kubernetes.*'] }, /actions\/0 cannot match/],
    ['with an environment that cannot exist', { environment: ['prod/eu'] }, /environments\/0 cannot match/],
    ['with an adapter that cannot exist', { adapter: ['CI'] }, /adapters\/0 cannot match/],
    ['with a control character in a resource', { resource: ['a\nb'] }, /resources\/0 cannot match/],
    ['with an empty list', { action: [] }, /actions is empty/],
    ['with a cost that is no integer', { 'max-cost': 'USD.cents:5.5' }, /--max-cost/],
    ['with an amount beyond integers', { 'max-cost': 'USD.cents:9999999999999999' }, /amount/],
  ])('is refused %s', async (_, flags, message) => {
    await expect(issue(flags)).rejects.toThrow(message);
  });

  it('is refused if it is longer than its own bundle allows', async () => {
    const bundle = await trusting({ mandate: { max_lifetime_hours: 4 } });
    await expect(issue({ bundle })).rejects.toThrow('more than 4 hours');
    await expect(issue({ bundle, 'valid-for': '4h' })).resolves.toBeDefined();
  });

  it.each([
    ['sig: x\n', 'sig must not be set'],
    ['- a\n', 'must be an object'],
    ['a: &x 1\nb: *x\n', 'Anchors'],
    ['unknown: 1\n', 'unknown|not allowed|additional'],
  ])('is refused from the file %j', async (text, message) => {
    writeFileSync(at('m.yaml'), text);
    await expect(issue({ from: at('m.yaml') })).rejects.toThrow(new RegExp(message, 'i'));
  });

  it('is refused with a key that is not one, and no message repeats it', async () => {
    writeFileSync(at('issuer.key'), 'hunter2');
    await expect(issue()).rejects.toMatchObject({ code: 'path-unreadable', message: expect.not.stringContaining('hunter2') });
  });

  it('comes with the entry that the bundle lacks, and the entry makes it valid', async () => {
    const files = { 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', {}) };
    const { mandate, missing } = await issue({ bundle: await writeBundle(files) });
    expect(missing).toContain('does not trust this key yet');
    const entry = issuerEntry('acme', SIGNER.keyId, SIGNER.publicKey);
    expect(missing).toContain(entry);
    const trusted = await writeBundle({ ...files, 'trust/issuers.yaml': entry });
    expect(await inspect(mandate, { bundle: trusted })).toMatchObject({
      checks: expect.arrayContaining([{ check: 'signature', status: 'ok', reasons: [] }]),
    });
  });

  it('is written to a new file that only its owner can read', async () => {
    const { mandate } = await issue();
    await writeMandate(at('out.json'), mandate);
    expect(statSync(at('out.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(at('out.json'), 'utf8'))).toEqual(mandate);
    await expect(writeMandate(at('out.json'), mandate)).rejects.toMatchObject({ code: 'output-unwritable' });
  });
});

describe('a mandate that is inspected', () => {
  const bundle = () => writeBundle({ 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', { mandate: 'required' }), ...TRUST });
  const proposal = (more: object = {}) => {
    writeFileSync(at('proposal.json'), JSON.stringify({ ...PROPOSAL, ...more }));
    return at('proposal.json');
  };

  it('is valid if the gate would accept it', async () => {
    const result = await inspect(mandateOf(), { bundle: await bundle(), proposal: proposal() });
    expect(result.valid).toBe(true);
    expect(checkLines(result.checks)).toBe(
      'signature            yes\nnot revoked          yes\nin force             yes\ncovers the proposal  yes\n',
    );
  });

  it('is neither valid nor invalid if something was not given', async () => {
    const result = await inspect(mandateOf());
    expect([result.valid, statuses(result)]).toEqual([
      null,
      { signature: 'unchecked', revocation: 'unchecked', validity: 'ok', proposal: 'unchecked' },
    ]);
    expect(checkLines(result.checks)).toContain('covers the proposal  not checked; pass --proposal\n');
  });

  it.each<[string, Mandate, object, string, string[]]>([
    ['signed by a stranger', mandateOf({}, STRANGER), {}, NOW, ['AG-POL-013']],
    ['of an unknown issuer', mandateOf({ issuer: 'evil' }), {}, NOW, ['AG-POL-013']],
    ['of an unknown key', mandateOf({ key_id: 'k-2' }), {}, NOW, ['AG-POL-013']],
    ['changed after it was signed', { ...mandateOf(), purpose: 'More' }, {}, NOW, ['AG-POL-013']],
    ['revoked', mandateOf({ mandate_id: 'm-lost' }), {}, NOW, ['AG-POL-017']],
    ['over', mandateOf(), {}, '2026-01-03T00:00:00.000Z', ['AG-POL-014']],
    [
      'for another principal, elsewhere',
      mandateOf(),
      { principal: { id: 'bob' }, environment: 'staging' },
      NOW,
      ['AG-POL-015', 'AG-POL-015'],
    ],
    [
      'for cheaper actions',
      mandateOf(),
      { action: { ...PROPOSAL.action, cost: { unit: 'USD.cents', amount: 5001 } } },
      NOW,
      ['AG-POL-016'],
    ],
  ])('is invalid if it is %s, with the codes of the verdict', async (_, mandate, changes, time, expected) => {
    const path = await bundle();
    const result = await inspect(mandate, { bundle: path, proposal: proposal(changes), at: time });
    expect([result.valid, codes(result)]).toEqual([false, expected]);
    const { verdict } = await check(
      { proposal: { ...PROPOSAL, ...changes }, mandate, at: time },
      await bundleOf({ a: { mandate: 'required' } }, {}, TRUST),
      noEvaluator,
    );
    expect(verdict.reasons.map(({ code }) => code).filter((code) => code !== 'AG-POL-012')).toEqual(expected);
  });

  it('is shown in words, without control characters', async () => {
    const text = mandateLines({ ...mandateOf({ purpose: 'Release\u001b[31m 42' }), limits: { reversible_only: true } });
    expect(text).toContain('deploy-bot may act for alice@example.com');
    expect(text).toContain('  valid         from 2026-01-01T00:00:00.000Z until 2026-01-03T00:00:00.000Z (48 h)\n');
    expect(text).toContain('only actions that are declared reversible');
    expect(text).not.toContain('\u001b');
  });

  it('is refused if it is not a mandate', async () => {
    writeFileSync(at('mandate.json'), '{"v":"svc-mandate/1"}');
    await expect(inspectFile(installation, at('mandate.json'), {})).rejects.toMatchObject({ code: 'AG-SCH-002' });
  });
});
