import { BylawError } from '@bylaw/core/errors';
import type { LabelSelector } from './policy.js';

/** Objects of the control plane stay as they are: a cluster that may not start its own parts helps nobody. */
export const EXEMPT_SYSTEM: LabelSelector = {
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }],
};

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/**
 * Reads a label selector as kubectl writes it: `team=shop,tier!=db,zone in (a,b),!legacy,managed`.
 * @throws {BylawError} `usage` naming the requirement that is not one
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = splitAtCommas(text).map(requirementOf);
  return { matchExpressions: requirements };
}

/** Commas inside brackets belong to a list of values. */
function splitAtCommas(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

const KEY = `(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?`;
const VALUE = '(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?';
const EXISTS = new RegExp(`^(!?)\\s*(${KEY})$`);
const EQUALS = new RegExp(`^(${KEY})\\s*(=|==|!=)\\s*(${VALUE})$`);
const IN = new RegExp(`^(${KEY})\\s+(in|notin)\\s+\\(\\s*(${VALUE}(?:\\s*,\\s*${VALUE})*)\\s*\\)$`);

function requirementOf(text: string): Requirement {
  const [, absent, asked] = EXISTS.exec(text) ?? [];
  if (asked !== undefined) return { key: asked, operator: absent ? 'DoesNotExist' : 'Exists' };
  const [, key, sign, value] = EQUALS.exec(text) ?? [];
  if (key !== undefined) return { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value ?? ''] };
  const [, listed, word, values] = IN.exec(text) ?? [];
  if (listed !== undefined) return { key: listed, operator: word === 'in' ? 'In' : 'NotIn', values: (values ?? '').split(/\s*,\s*/) };
  throw new BylawError('usage', 'The namespace selector is invalid.', {
    hint: 'Use the syntax of kubectl: requirements separated by commas, for example team=shop, tier!=db, zone in (a,b), !legacy.',
  });
}
