import { printable } from '@bylaw/core/report/printable';
import type { Mandate } from '../../proposal/index.js';
import { lifetimeOf, type MandateCheck } from '../../verdict/index.js';

/** What a mandate says, in words. */
export function mandateLines(mandate: Mandate): string {
  const { mandate_id, issuer, key_id, subject, delegate, scope, limits, not_before, expires_at, purpose } = mandate;
  const rows: [string, string][] = [
    ['actions', list(scope.actions)],
    ['resources', list(scope.resources)],
    ['environments', list(scope.environments)],
    ['adapters', scope.adapters === undefined ? 'any' : list(scope.adapters)],
    ['cost', limits.max_cost === undefined ? 'no limit' : `at most ${limits.max_cost.amount} ${limits.max_cost.unit} per action`],
    ['reversible', limits.reversible_only === true ? 'only actions that are declared reversible' : 'any'],
    ['valid', `from ${not_before} until ${expires_at} (${hours(lifetimeOf(mandate))})`],
    ...(purpose === undefined ? [] : [['purpose', purpose] satisfies [string, string]]),
  ];
  const head = `Mandate ${mandate_id} of ${issuer}, key ${key_id}: ${delegate} may act for ${subject}.`;
  return [head, ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`)].map((line) => `${printable(line)}\n`).join('');
}

const NAMES = { signature: 'signature', revocation: 'not revoked', validity: 'in force', proposal: 'covers the proposal' } as const;
const MISSING = { signature: '--bundle', revocation: '--bundle', validity: '--at', proposal: '--proposal' } as const;

/** One line for each check, and one for each reason. */
export function checkLines(checks: readonly MandateCheck[]): string {
  return checks
    .map(({ check, status, reasons }) => {
      const shown = status === 'ok' ? 'yes' : status === 'failed' ? 'NO' : `not checked; pass ${MISSING[check]}`;
      return `${NAMES[check].padEnd(20)} ${shown}\n${reasons.map(({ code, message }) => `  ${code} ${message}\n`).join('')}`;
    })
    .join('');
}

function list(globs: readonly string[]): string {
  return globs.length === 0 ? 'none' : globs.join(', ');
}

function hours(milliseconds: number): string {
  return `${Math.round(milliseconds / 36_000) / 100} h`;
}

/** The entry that makes a bundle trust a key. */
export function issuerEntry(issuer: string, keyId: string, publicKey: string): string {
  return `# trust/issuers.yaml
apiVersion: bylaw.dev/v1
kind: TrustedIssuers
issuers:
  - issuer: ${JSON.stringify(issuer)}
    keys:
      - {key_id: ${JSON.stringify(keyId)}, public_key: ${JSON.stringify(publicKey)}}
`;
}
