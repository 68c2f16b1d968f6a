import { Pattern } from '../../pattern/pattern.js';
import { lineAt } from './text-lines.js';

/**
 * SECRET_VALUE of the catalogue: whether a text holds a credential of a known form that is not a sample. A sample ends in EXAMPLE or holds
 * eight `x`, `X` or `*` in a row. Beyond the catalogue: the value of an Authorization header, and the login to a registry. Linear in the
 * text, and quick where no form's fixed part occurs.
 */
export function hasSecretValue(text: string): boolean {
  if (text.length < SHORTEST || !ANY_HINT.test(text)) return false;
  return FORMS.some(({ hint, pattern }) => hint.test(text) && pattern.findAll(text).some((match) => !isSample(match)));
}

/** The first line (from 1) of a text on which such a credential starts; 0 if there is none. */
export function secretValueLine(text: string): number {
  if (!hasSecretValue(text)) return 0;
  const firsts = FORMS.flatMap(({ hint, pattern }) => {
    const first = hint.test(text) ? pattern.matches(text).find((match) => !isSample(match.text)) : undefined;
    return first ? [first.offset] : [];
  });
  return lineAt(text, Math.min(...firsts));
}

function isSample(match: string): boolean {
  return match.endsWith('EXAMPLE') || /[xX]{8}|\*{8}|[xX*]{8}/.test(match);
}

interface Form {
  /** A part that every match holds, quick to look for. */
  hint: RegExp;
  /** RE2. */
  source: string;
  pattern: Pattern;
}

const B = '[A-Za-z0-9+/]';

/**
 * Base64 of a user, a colon and a password. In groups of four characters a colon is `O` and one of `g` to `v`, and similar as the second and
 * third byte of a group: nearly no word has that, so `Basic authentication` is not a login.
 */
const LOGIN = `(?:${B}{4})*(?:${B}{4}O[g-v]${B}{2}|${B}[DTjz][o-r]${B}|${B}{2}[AEIMQUYcgkosw048]6(?:${B}{4}|${B}{2}==|${B}{3}=))(?:${B}{4})*(?:${B}{2}==|${B}{3}=)?`;

export const FORMS: readonly Form[] = [
  form(/-----BEGIN/, '-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----(\\\\n|\\\\r|\\s)*([A-Za-z0-9+/=]{16}|Proc-Type:|Version:|Comment:)'),
  form(/AKIA|ASIA/, '\\b(AKIA|ASIA)[A-Z2-7]{16}\\b'),
  form(/gh[pousr]_/, '\\bgh[pousr]_[0-9A-Za-z]{36}'),
  form(/ghs_/, '\\bghs_\\d+_eyJ'),
  form(/github_pat_/, '\\bgithub_pat_\\w{50}'),
  form(/glpat-/, '\\bglpat-[\\w-]{20}'),
  form(/xox/, '\\bxox[abeoprs]-(\\d-)?[0-9A-Za-z]{10}'),
  form(/AIza/, '\\bAIza[\\w-]{35}'),
  form(/k_live_/, '\\b[sr]k_live_[0-9A-Za-z]{16}'),
  form(/hv[sb]\./, '\\bhv[sb]\\.[\\w-]{24}'),
  form(/AGE-SECRET-KEY-/, 'AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{40}'),
  form(/npm_/, '\\bnpm_[0-9A-Za-z]{36}'),
  form(/hf_/, '\\bhf_[A-Za-z]{30}'),
  form(/sk-/, '\\bsk-(ant|proj|svcacct)-[\\w-]{20}'),
  form(/dckr_pat_/, '\\bdckr_pat_[\\w-]{20}'),
  form(/glsa_/, '\\bglsa_\\w{32}'),
  form(/hooks\.slack\.com/, 'hooks\\.slack\\.com/services/T\\w+/B\\w+/\\w{20}'),
  form(/SG\./, '\\bSG\\.[\\w-]{16,}\\.[\\w-]{16}'),
  form(/accountkey=/i, '(?i)AccountKey=[A-Za-z0-9+/]{80}'),
  form(/eyJ/, '\\beyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}'),
  form(/basic\s/i, `(?i:\\bbasic)\\s+${LOGIN}(?:[^A-Za-z0-9+/=]|$)`),
  // A token has a digit, other than the words that may follow in a text.
  form(/bearer\s/i, '(?i:\\bbearer)\\s+(?:[\\w.~+/-]{12,}[0-9]|[\\w.~+/-]*[0-9][\\w.~+/-]{12,})[\\w.~+/=-]*'),
  form(
    /"auths"/,
    `"auths"\\s*:\\s*\\{(?:[^{}]*\\{[^{}]*\\})*?[^{}]*\\{[^{}]*"(?:auth"\\s*:\\s*"${B}{8,}=*|(?:password|identitytoken)"\\s*:\\s*"[^\\s"$<{*]{4,})"`,
  ),
];

/** `ghs_1_eyJ`. */
const SHORTEST = 9;

/** One pass over the text decides for nearly every value. */
const ANY_HINT = new RegExp(FORMS.map(({ hint }) => hint.source).join('|'), 'i');

function form(hint: RegExp, source: string): Form {
  return { hint, source, pattern: Pattern.ofValid(source) };
}
