import { KNOWN_FORM } from './functions/arguments.js';
import * as commands from './functions/secrets/command-secrets.js';
import * as noSecret from './functions/secrets/no-secret.js';
import * as entry from './functions/secrets/secret-entry.js';
import * as names from './functions/secrets/secret-name.js';
import { FORMS } from './functions/secrets/secret-value.js';

/** What tells secrets from other texts, as RE2 patterns: for engines that have no such functions. */
export const SECRET_PATTERNS = {
  /** Names that speak of a secret … */
  names: [names.WORD, names.CAMEL_ENDING].map(re2Of),
  /** … without holding one, by the whole name … */
  exemptNames: re2Of(names.EXEMPT),
  /** … or by their last word, which is one of these or their plurals. */
  exemptWords: [...names.ABOUT_A_SECRET],
  /** What of a name is not part of its last word. */
  fileExtensions: re2Of(names.EXTENSION),
  /** Texts that are not secrets: one of these words, in any case, … */
  plainWords: [...noSecret.WORDS],
  /** … or matching one of these patterns, without the white space around it. */
  plainTexts: [noSecret.REFERENCE, noSecret.VARIABLE, noSecret.PLACEHOLDERS, noSecret.PATH, noSecret.DURATION, noSecret.ENCRYPTED].map(
    re2Of,
  ),
  /** What may precede such a text. */
  scheme: re2Of(noSecret.SCHEME),
  /** URLs, if they are not credentials. */
  plainUrls: re2Of(noSecret.URL_WITHOUT_USERINFO),
  /** Public keys and certificates, where no private key is beside them. */
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
  /** Names with `auth` at their end, ways to log in, and words among them that are passwords. */
  authNames: re2Of(entry.AUTH_NAME),
  authMethods: re2Of(entry.AUTH_METHOD),
  commonPasswords: re2Of(entry.COMMON_PASSWORD),
  /** Names that can hold the path of an entry in a secret store, and such paths. */
  storedNames: re2Of(entry.STORED_NAME),
  storedPaths: re2Of(entry.STORED_PATH),
  /** How commands carry secrets, and which of the values that these forms find are not secrets. */
  commandForms: commands.COMMAND_FORMS,
  commandHints: commands.COMMAND_FORMS.map(({ hint }) => re2Of(hint)),
  standIns: [commands.STAND_IN, commands.NAME_OF_SECRET].map(re2Of),
  flagsWithoutValue: re2Of(commands.NO_VALUE),
  flagsOfObjects: re2Of(commands.OBJECT_FLAG),
  namespacedNames: re2Of(commands.NAMESPACED_NAME),
  lastPart: re2Of(commands.LAST_PART),
  code: re2Of(commands.CODE),
  schemes: re2Of(commands.SCHEME),
  ports: re2Of(commands.PORT),
  urlName: commands.URL_NAME,
  knownForm: KNOWN_FORM,
} as const;

/** The patterns that it is called with hold nothing that RE2 lacks; slashes need no backslash there. */
function re2Of({ source, flags: letters }: RegExp): string {
  const set = letters.replaceAll(/[^ims]/g, '');
  return `${set === '' ? '' : `(?${set})`}${source.replaceAll('\\/', '/')}`;
}
