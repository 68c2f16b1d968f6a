import { Pattern } from '@bylaw/core/cel';
import { BUILT_IN_NAME_RULES } from './name-rules.js';
import { OPTION_FORM } from './options.js';
import { OTHER_RULES, replacement, type ValueRules } from './replacement.js';

/** A form that secrets have. */
export interface SecretForm {
  id: string;
  /** RE2. */
  pattern: string;
}

interface BuiltInForm extends SecretForm {
  /** A part that every match has, quick to look for. */
  hint: string;
  /** What stays of a match, in addition to its first group, which always does. */
  keep?: { before: string; after: string };
}

/** `--password=…`, `PASSWORD=…`, and `"password": "…"` in a JSON text within a text. */
const KEYWORD = '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|private[_-]?key|credentials?)';
/** How those end, in any case. */
const ASSIGNED = '(?:[Rr][Dd]|[Ww][Dd]|[Ee][Tt]|[Ee][Nn]|[Ee][Yy]|[Ss][Ee]|[Aa][Ll][Ss]?)\\\\?["\'=]';

/**
 * The built-in set. No form asks for a word boundary before it: in a text within a text, `\n` is a letter.
 * The prefixes are those that the services publish for the secret scanners of code hosts.
 */
const BUILT_IN: readonly BuiltInForm[] = [
  {
    id: 'private-key',
    hint: '-----BEGIN',
    pattern: '(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\\z)',
  },
  { id: 'jwt', hint: 'eyJ', pattern: 'eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){2,4}' },
  { id: 'aws-key', hint: 'A[KS]IA', pattern: 'A[KS]IA[A-Z0-9]{16}' },
  { id: 'github-token', hint: 'gh[pousr]_', pattern: 'gh[pousr]_[A-Za-z0-9_]{20,}' },
  { id: 'github-token', hint: 'github_pat_', pattern: 'github_pat_[A-Za-z0-9_]{20,}' },
  { id: 'gitlab-token', hint: 'gl[a-z]{2,5}-', pattern: 'gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,}' },
  { id: 'slack-token', hint: 'xox|xapp-', pattern: '(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}' },
  {
    id: 'slack-token',
    hint: 'hooks\\.slack',
    pattern: '(hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{20,}',
  },
  { id: 'stripe-key', hint: '[sr]k_|whsec_', pattern: '(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/]{10,}' },
  { id: 'google-key', hint: 'AIza', pattern: 'AIza[A-Za-z0-9_-]{35}' },
  { id: 'google-key', hint: 'ya29\\.|GOCSPX-', pattern: '(?:ya29\\.|GOCSPX-)[A-Za-z0-9_-]{20,}' },
  { id: 'service-key', hint: 'hv[sbr]\\.', pattern: 'hv[sbr]\\.[A-Za-z0-9_-]{20,}' },
  { id: 'service-key', hint: 'npm_|hf_|glsa_', pattern: '(?:npm|hf|glsa)_[A-Za-z0-9_]{30,}' },
  { id: 'service-key', hint: 'sk-|dckr_', pattern: '(?:sk-(?:ant|proj|svcacct|admin)-|dckr_[a-z]{3}_)[A-Za-z0-9_-]{20,}' },
  { id: 'service-key', hint: 'SG\\.', pattern: 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}' },
  { id: 'service-key', hint: 'AGE-SECRET', pattern: 'AGE-SECRET-KEY-[A-Z0-9-]{20,}' },
  { id: 'bearer', hint: '[Bb][Ee][Aa][Rr]', pattern: '(?i)(bearer[ \\t]+)[A-Za-z0-9._~+/=-]{8,}' },
  { id: 'url-user-info', hint: '://', pattern: '://[^/?#\\s"\'<>]+@', keep: { before: '://', after: '@' } },
  {
    id: 'assignment',
    hint: ASSIGNED,
    pattern: `(?i)(${KEYWORD}=["']?)[^\\s"'&;,$][^\\s"'&;,]*`,
  },
  {
    id: 'assignment',
    hint: ASSIGNED,
    pattern: `(?i)(${KEYWORD}\\\\?["']\\s*:\\s*\\\\?["'])[^"'\\\\]+`,
  },
  OPTION_FORM,
];

/** The built-in rules, and those of a bundle after them. @throws {CelError} when a pattern is not RE2 */
export function valueRules(extra: readonly SecretForm[] = []): ValueRules {
  const builtIn = BUILT_IN.map(compiledForm);
  const own = extra.map(ownForm);
  return (text) => {
    const masked = text.length >= SHORTEST && ANY_HINT.test(text) ? builtIn.reduce((rest, form) => form(rest), text) : text;
    return own.reduce((rest, form) => form(rest), masked);
  };
}

/** Whether a form would find secrets in what masking leaves behind, and so never come to an end. @throws {CelError} when it is not RE2 */
export function findsTooMuch({ pattern }: SecretForm, ownRules: readonly string[]): boolean {
  const compiled = Pattern.compile(pattern);
  const left = [...BUILT_IN_IDS, ...ownRules].map(replacement);
  return ['', ...left].some((text) => compiled.test(text));
}

const BUILT_IN_IDS = [...BUILT_IN.map(({ id }) => id), ...BUILT_IN_NAME_RULES, ...OTHER_RULES];

/** `://x@` */
const SHORTEST = 5;

/** One pass over the text decides for nearly every value. Of addresses only those count that have an @ before their path. */
const ANY_HINT = new RegExp([...new Set(BUILT_IN.map(({ hint }) => (hint === '://' ? '://[^/?#]*@' : hint)))].join('|'));

/**
 * A text with more secrets of one form than this is masked whole: looking for the next one takes time linear in the text,
 * and one text with thousands of them is an attack.
 */
const MAX_MATCHES = 50;

/** Compiled when its hint first occurs. */
function compiledForm({ id, hint, pattern, keep = { before: '', after: '' } }: BuiltInForm): ValueRules {
  const { before, after } = keep;
  const quick = new RegExp(hint);
  let compiled: Pattern | undefined;
  return (text) => {
    if (!quick.test(text)) return text;
    compiled ??= Pattern.compile(pattern);
    return compiled.replaceAll(text, ([, kept = '']) => before + kept + replacement(id) + after, MAX_MATCHES) ?? replacement(id);
  };
}

function ownForm({ id, pattern }: SecretForm): ValueRules {
  const compiled = Pattern.compile(pattern);
  const by = replacement(id);
  return (text) => (compiled.test(text) ? (compiled.replaceAll(text, () => by, MAX_MATCHES) ?? by) : text);
}
