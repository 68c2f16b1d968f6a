import { Pattern } from '../../pattern/pattern.js';
import { urlsWithPassword } from './connection-password.js';
import { isNoSecret } from './no-secret.js';
import { holdsSecret, namesObject } from './secret-entry.js';

/** A secret that a command line carries in clear. */
export interface CommandSecret {
  /** What carries it: a flag, a variable, a header. */
  name: string;
  /** The offset in the line of a character of the secret. */
  offset: number;
}

/**
 * The secrets that a command line (its items joined by spaces) carries in clear: values of flags, of variables that a shell sets, of headers,
 * and logins of curl, MySQL, Redis and in URLs. A variable, a path, a placeholder and the name of an object are not secrets. Linear in the line.
 */
export function commandSecrets(line: string): CommandSecret[] {
  const found = COMMAND_FORMS.flatMap((form) => (form.hint.test(line) ? secretsOfForm(form, line) : []));
  return [...found, ...urlsWithPassword(line).map((offset) => ({ name: URL_NAME, offset }))];
}

export const URL_NAME = 'URL';

/** One way to write a secret into a command. The sources are RE2, since a command may be long and policies of Kubernetes use them too. */
export interface CommandForm {
  of: 'flag' | 'variable' | 'header' | 'curl' | 'mysql' | 'redis';
  /** A part of every match, quick to look for. */
  hint: RegExp;
  /** What comes before `lead`. */
  before: string;
  /** From what carries the secret up to the secret. No part of `value` matches it. */
  lead: string;
  value: string;
  /** The name of what carries the secret, or RE2 that finds it in `lead`. */
  name: string | { find: string };
  accepts?: (name: string, value: string) => boolean;
}

const QUOTE = '[\\x22\\x27]?';

/** What starts a variable, a path, an option, a redirection or a file (`@`) is not a value. */
const VALUE_START = '[^\\s\\x22\\x27$<>{}()\\[\\]/@\\x60%*&|;=\\\\-]';
const VALUE = `${VALUE_START}[^\\s\\x22\\x27;]{2,}`;
const WORD_START = '(?:^|[\\s;&|(=\\x22\\x27\\x60])';

/** Where a shell, or the command of a container, expects the name of a program; a path may precede it. */
const PROGRAM =
  '(?:^|[;&|(\\x60\\x22\\x27\\n]|\\s-\\w*c\\s|(?:^|[\\s;])(?:exec|sudo|time|env|then|do|else|if|while|until|!|--|timeout\\s+\\S+|\\w+=\\S*)\\s)\\s*[\\x22\\x27]?(?:[\\w.-]*/)*';

const QUOTED = '(?:\\x22(?:[^\\x22\\\\]|\\\\[\\s\\S])*\\x22|\\x27[^\\x27]*\\x27)';

/** White space inside a command: a line break only after a backslash. */
const GAP = '(?:[ \\t]|\\\\\\r?\\n)+';

/**
 * Arguments of a program, up to the end of its command. A quote opens a text only where a value can start: the one after `x` in
 * `sh -c "mysql -u x" y` ends the command.
 */
const ARGUMENTS = `(?:${GAP}(?:(?:[^\\s;|&()\\x22\\x27\\x60]*=|-\\w)?${QUOTED}|(?:[^\\s;|&()\\x22\\x27\\x60]|&[^&\\s]|\\$\\([^()]*\\)|\\x60[^\\x60]*\\x60)+))*?`;

export const COMMAND_FORMS: readonly CommandForm[] = [
  {
    of: 'flag',
    hint: /passw|passphrase|-pass|requirepass|masterauth|secret|token|api-?key|access-?key/i,
    before: WORD_START,
    lead: `--?(?i:[\\w.-]*(?:password|passwd|passphrase|requirepass|masterauth|secret|token|api-?key|access-?key)|pass(?:in|out)?)(?:=|\\s+)${QUOTE}`,
    value: VALUE,
    name: { find: '--?[\\w.-]+' },
    accepts: (flag, value) => !NO_VALUE.test(flag) && !OBJECT_FLAG.test(flag) && !NAMESPACED_NAME.test(value) && !namesObject(flag, value),
  },
  {
    of: 'variable',
    hint: /(?:pass|pwd?|secret|token|key|credential|auth)\w*=/i,
    before: '(?:^|[\\s;(=,\\x22\\x27\\x60])',
    lead: `(?i:(?:[a-z_][\\w.-]*)?(?:pass|pwd?|secret|token|key|credential|auth)\\w*)=${QUOTE}`,
    // A comma and white space follow an argument of a call in a program.
    value: `${VALUE_START}[^\\s\\x22\\x27;,]{2,}(?:,\\s)?`,
    name: { find: '[\\w.-]+' },
    accepts: (name, value) => holdsSecret(LAST_PART.exec(name)?.[0] ?? '', value) && !CODE.test(value) && !namesObject(name, value),
  },
  {
    of: 'header',
    hint: /-H|--header|[aA][uU][tT][hH][oO][rR][iI][zZ][aA][tT][iI][oO][nN]/,
    before: WORD_START,
    lead: `(?:(?:-H|--header)(?:=|\\s*)${QUOTE}(?i:[\\w-]*(?:authorization|api-?key|token))${QUOTE}:\\s*${QUOTE}(?i:(?:bearer|basic|token|apikey)\\s+)?|(?i:(?:proxy-)?authorization)${QUOTE}\\s*[:=]\\s*${QUOTE}(?i:bearer|basic|token)\\s+)`,
    value: VALUE,
    name: { find: '(?i)[\\w-]*(?:authorization|api-?key|token)' },
    accepts: (_, value) => !SCHEME.test(value),
  },
  {
    of: 'curl',
    // Many probes run curl; few log in.
    hint: /\s["']?(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user[=\s\\])/,
    before: `(?:^|[\\s;&|(/\\x60\\x22\\x27])curl${ARGUMENTS}`,
    lead: `${GAP}${QUOTE}(?:-[a-zA-Z]*[uU][ \\t]*|--(?:proxy-)?user(?:=|${GAP}))${QUOTE}(?:[^\\s\\x22\\x27:-][^\\s\\x22\\x27:]*)?${QUOTE}:${QUOTE}`,
    value: '[^\\s\\x22\\x27$<>{}()\\[\\]\\x60*\\\\-][^\\s\\x22\\x27;)]{2,}',
    name: 'curl -u',
  },
  {
    of: 'mysql',
    // The short option takes a password only where it is attached. Elsewhere `-p` is a port.
    hint: /mysql|mariadb/,
    before: `${PROGRAM}(?:mysql(?:admin|check|dump|import|pump|show|slap)?|mariadb(?:-(?:admin|backup|check|dump|import|show|slap))?)${ARGUMENTS}`,
    lead: `${GAP}${QUOTE}-p${QUOTE}`,
    value: '[^\\s\\x22\\x27$<>{}()\\[\\]\\x60*\\\\-][^\\s\\x22\\x27;)]+',
    name: 'mysql -p',
    accepts: (_, value) => !PORT.test(value),
  },
  {
    of: 'redis',
    hint: /redis-cli/,
    before: `${PROGRAM}redis-cli${ARGUMENTS}`,
    lead: `${GAP}-a${GAP}${QUOTE}`,
    value: VALUE,
    name: 'redis-cli -a',
  },
];

function secretsOfForm(form: CommandForm, line: string): CommandSecret[] {
  return patternsOf(form)
    .whole.matches(line)
    .flatMap(({ offset, text }) => {
      const { name, value } = partsOf(form, text);
      const accepted = isLiteral(value) && (form.accepts?.(name, value) ?? true);
      return accepted ? [{ name, offset: offset + text.length - value.length }] : [];
    });
}

function partsOf(form: CommandForm, match: string): { name: string; value: string } {
  const { end, lead, name } = patternsOf(form);
  const tail = end.find(match) ?? '';
  const head = lead.find(tail) ?? '';
  return { name: name?.find(head) ?? String(form.name), value: tail.slice(head.length) };
}

/** A text that is used as it is, and stands for nothing else. */
function isLiteral(value: string): boolean {
  return !isNoSecret(value) && !value.includes('$') && !STAND_IN.test(value) && !NAME_OF_SECRET.test(value);
}

export const STAND_IN = /^(?:[x*.]+|stdin|(?:env|file|fd):.+|(?:your|replace|insert|enter)(?:[_-].*)?)$|\{\{|<[^<>]*>/i;
/** `YOUR_TOKEN`, `DB_PASSWORD`: a name that something replaces. */
export const NAME_OF_SECRET =
  /^(?:[A-Z_]*_(?:PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|KEY)(?:_[A-Z_]*)?|(?:PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|KEY)_[A-Z_]*)$/;

/** Switches: what follows `--no-password` is another argument. Counts: `--max-new-token 512`. */
export const NO_VALUE =
  /^--?(?:no|skip|without|disable|enable|use|with|require|ask|prompt|generate|random|rotate|print|show|verify|validate|check|allow|max|min|num)-/i;
export const OBJECT_FLAG = /(?:^|-)(?:tls|ca|cert|pull)-secret$/i;
export const NAMESPACED_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** `auth.existingSecret=shop-db`: the last part of a name says what it is. */
export const LAST_PART = /[^.]*$/;

/** `password=options.password`, `token=read_token(path)`, and an argument of a call: `password=password, retry=1)`. */
export const CODE = /^[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*)+[,);]?$|[([])|^[A-Za-z_]+[,)]/;
export const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate)$/i;
export const PORT = /^\d{1,5}(?::\d+)?$/;

interface Patterns {
  whole: Pattern;
  end: Pattern;
  lead: Pattern;
  name: Pattern | undefined;
}

const compiled = new Map<CommandForm, Patterns>();

/** Compiled when a line first has the hint. */
function patternsOf(form: CommandForm): Patterns {
  const known = compiled.get(form);
  if (known) return known;
  const { before, lead, value, name } = form;
  const patterns = {
    whole: Pattern.ofValid(`${before}(?:${lead})${value}`),
    end: Pattern.ofValid(`(?:${lead})${value}$`),
    lead: Pattern.ofValid(`^(?:${lead})`),
    name: typeof name === 'string' ? undefined : Pattern.ofValid(name.find),
  };
  compiled.set(form, patterns);
  return patterns;
}
