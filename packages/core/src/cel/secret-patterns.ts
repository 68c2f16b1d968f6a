import * as noSecret from './functions/no-secret.js';
import * as entry from './functions/secret-entry.js';
import * as flags from './functions/secret-flags.js';
import * as names from './functions/secret-name.js';
import { FORMS } from './functions/secret-value.js';

/** What tells secrets from other texts, as RE2 patterns: for engines that have no such functions. */
export const SECRET_PATTERNS = {
  /** Names that speak of a secret … */
  names: [names.WORD, names.CAMEL_ENDING].map(re2Of),
  /** … without holding one, by the whole name … */
  exemptNames: re2Of(names.EXEMPT),
  /** … or by their last word, which is one of these or their plurals. */
  exemptWords: [...names.ABOUT_A_SECRET],
  /** What of a name is no part of its last word. */
  fileExtensions: re2Of(names.EXTENSION),
  /** Texts that are no secrets: one of these words, in any case, … */
  plainWords: [...noSecret.WORDS],
  /** … or matching one of these patterns, without the white space around it. */
  plainTexts: [
    noSecret.REFERENCE,
    noSecret.VARIABLE,
    noSecret.PLACEHOLDERS,
    noSecret.PATH,
    noSecret.URL_WITHOUT_USERINFO,
    noSecret.DURATION,
    noSecret.ENCRYPTED,
  ].map(re2Of),
  /** Public keys and certificates, where no private key stands beside them. */
  publicKeys: re2Of(noSecret.PUBLIC),
  placeholders: noSecret.PLACEHOLDERS.source.slice('^\\s*'.length, -'\\s*$'.length),
  /** Credentials of known forms. */
  values: FORMS.map(({ source }) => source),
  /** What every such credential holds: quick to look for. */
  valueHints: `(?i)${FORMS.map(({ hint }) => hint.source).join('|')}`,
  /** Names of objects, and what makes them names of Secrets. */
  objectNames: re2Of(entry.OBJECT_NAME),
  objectWords: re2Of(entry.OBJECT_WORD),
  valueSecrets: re2Of(entry.VALUE_SECRET),
  /** Flags of command lines that carry a value named like a secret, and those that carry none. */
  flags: flags.FLAG_WITH_VALUE,
  flagsWithoutValue: re2Of(flags.NO_VALUE),
  flagsOfObjects: re2Of(flags.OBJECT_FLAG),
  namespacedNames: re2Of(flags.NAMESPACED_NAME),
} as const;

/** The patterns that it is called with hold nothing that RE2 lacks; slashes need no backslash there. */
function re2Of({ source, flags: letters }: RegExp): string {
  const set = letters.replaceAll(/[^ims]/g, '');
  return `${set === '' ? '' : `(?${set})`}${source.replaceAll('\\/', '/')}`;
}
