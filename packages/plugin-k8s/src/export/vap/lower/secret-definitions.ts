import { SECRET_PATTERNS } from '@bylaw/core/cel';

const P = SECRET_PATTERNS;
const quote = (text: string) => JSON.stringify(text);
const list = (texts: readonly string[]) => `[${texts.map(quote).join(', ')}]`;

/** `policies` ends in the plural of `policy`, `addresses` in that of `address`. */
function lastWords(words: readonly string[]): string {
  const stems = words.filter((word) => word.endsWith('y')).map((word) => word.slice(0, -1));
  return `^((${words.join('|')})(e?s)?|(${stems.join('|')})ies)$`;
}

/** The last word of a name such as `dbPasswordFile`, `DB_PASSWORD_FILE` or `db.password-file`. */
const LAST_WORD = '[A-Z][a-z][^A-Z._-]*$|[A-Z]+([^A-Za-z._-][^A-Z._-]*)?$|[^A-Z._-]+$';

/** A word anywhere in such a name: in small letters, with a capital, or in capitals. */
function anyWord(word: string): string {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return `(^|[._-])${word}([._-]|[A-Z]|$)|(^|[._-]|[A-Za-z0-9])${capital}([._-]|[A-Z]|$)|(^|[._-]|[a-z0-9])${word.toUpperCase()}([._-]|[A-Z][a-z]|$)`;
}

/** The last two words of such a name. The first one begins so, and continues with these letters. */
function lastTwoWords(first: string, small: string, large: string, second: string): string {
  const [capital, upper] = [first.charAt(0).toUpperCase() + first.slice(1), first.toUpperCase()];
  const [secondCapital, secondUpper] = [second.charAt(0).toUpperCase() + second.slice(1), second.toUpperCase()];
  const apart = `[._-]+(${second}|${secondCapital}|${secondUpper})`;
  const inSmall = `((^|[._-])${first}${small}|(^|[A-Za-z0-9._-])${capital}${small})(${apart}|${secondCapital}|${secondUpper})$`;
  return `${inSmall}|(^|[a-z0-9._-])${upper}${large}(${apart}|${secondCapital})$`;
}

/** What is asked of the name and the value that a form of command finds, apart from the condition that the value is a literal. */
const ACCEPTED: { readonly [form: string]: string } = {
  flag: `!name.matches(${quote(P.flagsWithoutValue)}) && !name.matches(${quote(P.flagsOfObjects)}) && !value.matches(${quote(P.namespacedNames)}) && !namesObject(name, value)`,
  variable: `cel.bind(last, name.find(${quote(P.lastPart)}), isSecretName(last) && !describes(last, value)) && !value.matches(${quote(P.code)}) && !namesObject(name, value)`,
  header: `!value.matches(${quote(P.schemes)})`,
  mysql: `!value.matches(${quote(P.ports)})`,
};

/** A function for each form of command: what carries a value in a line, a line break, and the value. */
function formDefinition({ of, before, lead, value, name }: (typeof P.commandForms)[number], hint: string): [string, string] {
  const head = `tail.find(${quote(`^(?:${lead})`)})`;
  const named = typeof name === 'string' ? quote(name) : `${head}.find(${quote(name.find)})`;
  return [
    `${of}Values(line)`,
    `line.matches(${quote(hint)}) ? line.findAll(${quote(`${before}(?:${lead})${value}`)}).map(found, found.find(${quote(`(?:${lead})${value}$`)}))
      .map(tail, ${named} + "\\n" + tail.substring(size(${head})))${ACCEPTED[of] === undefined ? '' : `.filter(found, ${nameAndValue(ACCEPTED[of])})`} : []`,
  ];
}

function nameAndValue(condition: string): string {
  return `cel.bind(name, found.substring(0, found.indexOf("\\n")), cel.bind(value, found.substring(found.indexOf("\\n") + 1), ${condition}))`;
}

/** What a command carries in clear, after `commandSecrets` and `argumentSecrets`; a policy says it of a command as a whole. */
const COMMAND_DEFINITIONS: { readonly [signature: string]: string } = {
  'argumentSecrets(c)': 'execActions(c).map(action, secretsOfCommand(commandLine(action))).map(secrets, {"secrets": secrets})',
  'secretsOfCommand(line)': `cel.bind(found, commandSecrets(line), size(found) > 0 ? found : hasSecretValue(line) ? [${quote(P.knownForm)}] : [])`,
  'commandSecrets(line)': `cel.bind(whole, text(line), (${P.commandForms.map(({ of }) => `${of}Values(whole)`).join(' + ')})
    .filter(found, isLiteral(found.substring(found.indexOf("\\n") + 1))).map(found, found.substring(0, found.indexOf("\\n")))
    + (hasUrlPassword(whole) ? [${quote(P.urlName)}] : []))`,
  'isLiteral(value)': `!isNoSecret(value) && !value.contains("$") && ${P.standIns.map((pattern) => `!value.matches(${quote(pattern)})`).join(' && ')}`,
  ...Object.fromEntries(P.commandForms.map((form, index) => formDefinition(form, P.commandHints[index] ?? ''))),
};

/** What looks like a secret, after the functions of the same names. */
export const SECRET_DEFINITIONS: { readonly [signature: string]: string } = {
  'isPlaceholder(value)': `text(value).matches(${quote(String.raw`^\s*${P.placeholders}\s*$`)})`,

  'isSecretName(name)': `cel.bind(name, text(name), size(name) <= 253 && name.matches('(?i)pass|pw|secret|token|key|credential|auth') && (${P.names.map((pattern) => `name.matches(${quote(pattern)})`).join(' || ')})
    && !name.matches(${quote(P.exemptNames)}) && !name.matches(${quote(anyWord('tokens'))}) && !isAboutASecret(name.substring(0, size(name) - size(name.find(${quote(P.fileExtensions)})))))`,
  'isAboutASecret(name)': `name.find(${quote(LAST_WORD)}).lowerAscii().matches(${quote(lastWords(P.exemptWords))})
    || name.matches(${quote(lastTwoWords('ca', '', '', 'secrets?'))}) || name.matches(${quote(lastTwoWords('expir', '[a-z0-9]*', '[A-Z0-9]*', 'in'))})`,

  'isNoSecret(value)': `cel.bind(plain, withoutScheme(text(value).trim()), plain.lowerAscii() in ${list(P.plainWords)} || plain.endsWith("@azurekeyvault")
    || ${P.plainTexts.map((pattern) => `plain.matches(${quote(pattern)})`).join('\n    || ')}
    || plain.matches(${quote(P.plainUrls)}) && !hasSecretValue(plain)
    || plain.matches(${quote(P.publicKeys)}) && !plain.contains("PRIVATE KEY"))`,

  'withoutScheme(value)': `value.substring(size(value.find(${quote(P.scheme)})))`,

  'hasSecretValue(value)': `cel.bind(whole, text(value), whole.matches(${quote(P.valueHints)})
    && whole.findAll(${quote(P.values.map((pattern) => `(?:${pattern})`).join('|'))}).exists(found, !found.endsWith("EXAMPLE") && !found.matches('[xX*]{8}')))`,

  'holdsSecret(name, value)': 'isSecretName(name) && !isNoSecret(value) && !describes(name, value)',
  'describes(name, value)': `text(name).matches(${quote(P.authNames)}) && text(value).trim().matches(${quote(P.authMethods)}) && !text(value).trim().matches(${quote(P.commonPasswords)})
    || text(name).matches(${quote(P.storedNames)}) && text(value).trim().matches(${quote(P.storedPaths)})`,
  'isSecretEntry(name, value)':
    'hasSecretValue(value) || size(text(value)) >= 4 && holdsSecret(name, value) && !namesObject(name, value) && !namesKey(name, value)',
  'namesObject(name, value)': `text(value).matches(${quote(P.objectNames)}) && (text(name).matches('(?i)secrets$')
    || text(name).matches('(?i)secret$') && !text(name).matches(${quote(P.valueSecrets)}) && text(value).matches(${quote(P.objectWords)}))`,
  'namesKey(name, value)': `text(name).matches('(?i)secret[._-]?key$') && text(value).matches('^[A-Za-z._-]{1,63}$')`,

  ...COMMAND_DEFINITIONS,

  // A URL with a password, or an item of a list; comments of a text of several lines are passed over.
  'hasConnectionPassword(value)': String.raw`cel.bind(whole, text(value),
    (whole.contains("://") || whole.matches('(?i)password|pwd|accountkey|sharedaccesskey')) && cel.bind(lines, linesOfSettings(whole.trim().split("\n")),
      lines.exists(line, hasUrlPassword(line)
        || line.findAll(r'(?i)(^|[;&?])\s*(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^\s;&$<{\x60"\x27/(\[*]{3,}[(\[]?').exists(found,
             (size(lines) == 1 || found.matches('^[;&?]')) && !found.matches(r'[(\[]$')
             && !found.matches(r'(?i)^[^=]*=\s*(x+|true|false|none|null)$')))))`,
  'linesOfSettings(lines)': String.raw`size(lines) == 1 ? lines : lines.filter(line, !line.matches('^[ \t\r]*(#|;|//|--|\r?$)'))`,
  'hasUrlPassword(line)': String.raw`line.findAll(r'(?i)[a-z0-9+.-]://[^/\s:@]*:[^/\s@]+@').exists(found,
    found.matches(r'://[^/\s:@]*:[^/\s@$<{*?#"\x27\x60\\()\[\]^|]{3,}@$')
    && !found.matches('://[^/:@]*:(x+|X+|[A-Z_]*(PASS|PASSWORD|PWD|SECRET|TOKEN)[A-Z_]*)@$'))`,
};
