import { KUBERNETES_SECRET, type ValueRules } from './replacement.js';

/** What is to be done about a member of this name. */
export interface NameRule {
  /** Masks the texts that the member holds. */
  rule: string | undefined;
  /** The name speaks about a secret without holding one, so a rule for what is around the member does not reach into it. */
  about: boolean;
  /** The name itself, with the secrets in it replaced. */
  maskedName: string;
}

export type NameRules = (name: string) => NameRule;

/** Names that speak of a secret, by rule. */
export interface NamedSecrets {
  id: string;
  /** As `account_number`: the words are found as whole words, however a name joins them. */
  names: readonly string[];
}

/** Words of the built-in set, as a pattern over words in lower case with dashes between them. */
const BUILT_IN: readonly [rule: string, words: string][] = [
  ['password', '[a-z0-9]*passw(?:or)?d[a-z0-9]*|passphrases?'],
  ['api-key', 'api-?keys?'],
  ['private-key', 'private-?keys?'],
  ['session-id', 'session-?ids?'],
  ['authorization', 'authorization'],
  ['cookie', 'cookies?'],
  ['credential', '[a-z0-9]*credentials?'],
  ['secret', '[a-z0-9]*secrets?'],
  ['token', '[a-z0-9]*tokens?'],
  ['otp', 'otps?'],
  // The annotation in which kubectl keeps the whole object, of a Secret, too.
  [KUBERNETES_SECRET, 'last-applied-configuration'],
];

export const BUILT_IN_NAME_RULES = BUILT_IN.map(([rule]) => rule);

/** `tokenName` names a token, `secretKeyRef` points at one, `imagePullSecrets` lists names, `tokenCount` counts. */
const ABOUT = /(?:^|-)(?:name|ref|count)$|-secrets$/;

/** The built-in rules, and those of a bundle after them. */
export function nameRules(byValue: ValueRules, extra: readonly NamedSecrets[] = []): NameRules {
  const rules = [...BUILT_IN, ...extra.map(({ id, names }): [string, string] => [id, names.map(wordsOf).join('|')])].map(
    ([rule, words]): [string, RegExp] => [rule, new RegExp(`(?:^|-)(?:${words})(?:-|$)`)],
  );
  return remembered((name) => {
    const words = wordsOf(name);
    const about = ABOUT.test(words);
    const rule = about ? undefined : rules.find(([, pattern]) => pattern.test(words))?.[0];
    return { rule, about, maskedName: byValue(name) };
  });
}

/** `dbPassword`, `DB_PASSWORD` and `db.password` are `db-password`; only letters, digits and dashes are left. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}

/** Longer ones are hardly names; what is found in them is not worth remembering. */
const MAX_LENGTH = 128;
const MAX_NAMES = 4096;

/** The same names come again and again. Callers choose them, so the memory starts anew when it is full. */
function remembered(rules: NameRules): NameRules {
  const known = new Map<string, NameRule>();
  return (name) => {
    const rule = known.get(name);
    if (rule !== undefined) return rule;
    const found = rules(name);
    if (name.length > MAX_LENGTH) return found;
    if (known.size === MAX_NAMES) known.clear();
    known.set(name, found);
    return found;
  };
}
