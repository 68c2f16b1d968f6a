import { type Signer, signerFromSeed } from '../keys/index.js';
import { HEAD, policyFile, type TestFiles, writeBundle } from '../policy/bundle-files.test-support.js';
import type { Bundle } from '../policy/index.js';
import type { ActionProposal, BudgetState, Mandate } from '../proposal/index.js';
import { loadBundle } from './bundle/load-bundle.js';
import { check } from './check.js';
import type { CheckInput, ManifestEvaluator } from './check-input.js';
import { mandateText } from './mandate/mandate.js';
import type { Verdict } from './verdict.js';

export const AT = '2026-01-02T03:04:05.678Z';

export const PROPOSAL: ActionProposal = {
  id: 'p-1',
  principal: { id: 'alice@example.com', type: 'human' },
  agent: { id: 'deploy-bot' },
  adapter: 'ci-main',
  action: { type: 'kubernetes.deployment.update', resource: 'k8s://prod/shop/Deployment/web', parameters: { replicas: 3 } },
  environment: 'production',
};

/** A bundle of these policies, by id. */
export async function bundleOf(policies: { readonly [id: string]: object }, head: object = {}, more: TestFiles = {}): Promise<Bundle> {
  const files = Object.entries(policies).map(([id, spec]) => [`policies/${id}.yaml`, policyFile(id, spec)] as const);
  const { bundle, errors } = await loadBundle(
    await writeBundle({ 'bundle.yaml': { ...HEAD, ...head }, ...Object.fromEntries(files), ...more }),
  );
  if (bundle === undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return bundle;
}

/** For proposals without manifests. */
export const noEvaluator: ManifestEvaluator = () => Promise.reject(new Error('there is nothing to evaluator'));

export async function verdictOf(
  bundle: Bundle,
  proposal: Partial<ActionProposal> = {},
  more: Partial<Omit<CheckInput, 'proposal'>> = {},
  evaluator: ManifestEvaluator = noEvaluator,
): Promise<Verdict> {
  return (await check({ proposal: { ...PROPOSAL, ...proposal }, at: AT, ...more }, bundle, evaluator)).verdict;
}

export const ISSUER: Signer = signerFromSeed(new Uint8Array(32).fill(1));
export const STRANGER: Signer = signerFromSeed(new Uint8Array(32).fill(2));

export const TRUST: TestFiles = {
  'trust/issuers.yaml': {
    apiVersion: 'bylaw.dev/v1',
    kind: 'TrustedIssuers',
    issuers: [{ issuer: 'acme', keys: [{ key_id: 'k-1', public_key: ISSUER.publicKey }] }],
  },
  'trust/revoked.yaml': {
    apiVersion: 'bylaw.dev/v1',
    kind: 'Revoked',
    mandates: [{ issuer: 'acme', mandate_id: 'm-lost' }],
  },
};

const MANDATE: Omit<Mandate, 'sig'> = {
  v: 'svc-mandate/1',
  mandate_id: 'm-1',
  issuer: 'acme',
  key_id: 'k-1',
  subject: 'alice@example.com',
  delegate: 'deploy-bot',
  scope: { actions: ['kubernetes.**'], resources: ['k8s://prod/shop/**'], environments: ['production'], adapters: ['ci-*'] },
  limits: { max_cost: { unit: 'USD.cents', amount: 5000 } },
  not_before: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-03T00:00:00.000Z',
};

/** A signed mandate that covers `PROPOSAL`, but for what is changed. */
export function mandateOf(changes: Partial<Omit<Mandate, 'sig'>> = {}, signer: Signer = ISSUER): Mandate {
  const unsigned = { ...MANDATE, ...changes, sig: '' };
  return { ...unsigned, sig: signer.sign(mandateText(unsigned)) };
}

export const BUDGET: BudgetState = {
  budget_id: 'team-shop',
  unit: 'USD.cents',
  limit: 10_000,
  spent: 7000,
  reserved: 1000,
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  as_of: '2026-01-02T03:04:00.000Z',
};

export const codesOf = ({ reasons }: Verdict) => reasons.map(({ code, policy }) => (policy === undefined ? code : `${code} ${policy}`));
