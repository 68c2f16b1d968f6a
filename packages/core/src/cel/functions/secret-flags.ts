import { Pattern } from '../pattern.js';
import { isNoSecret } from './no-secret.js';
import { namesObject } from './secret-entry.js';

/**
 * The flags of a command line (its items joined by spaces) that carry a secret in clear, such as `--db-password` in
 * `--db-password=hunter2` or `--token s3cr3t`. A variable, a path, a placeholder or the name of an object is none.
 */
export function secretFlags(line: string): string[] {
  if (!WORD.test(line)) return [];
  compiled ??= Pattern.compile(FLAG_WITH_VALUE);
  const found = compiled.findAll(line).filter(carriesSecret).map(flagOf);
  return [...new Set(found)];
}

const WORD = /passw|secret|token|api-?key|access-?key/i;

/** RE2, since a command line may be long: what starts a variable, a path, an option, a redirection or a file (`@`) is no value. */
export const FLAG_WITH_VALUE =
  '(?i)(?:^|[\\s;&|(=\\x22\\x27])--?[\\w.-]*(?:password|passwd|secret|token|api-?key|access-?key)[= ][\\x22\\x27]?[^\\s\\x22\\x27$<>{}()\\[\\]/@\\x60%*&|;\\\\-][^\\s\\x22\\x27]{2,}';
let compiled: Pattern | undefined;

function carriesSecret(match: string): boolean {
  const flag = flagOf(match);
  const value = match.slice(match.indexOf(flag) + flag.length + 1).replace(/^["']/, '');
  return (
    !NO_VALUE.test(flag) &&
    !OBJECT_FLAG.test(flag) &&
    !isNoSecret(value) &&
    !value.includes('$') &&
    !NAMESPACED_NAME.test(value) &&
    !namesObject(flag, value)
  );
}

function flagOf(match: string): string {
  return match.replace(/^[\s;&|(="']/, '').replace(/[= ].*$/s, '');
}

/** Switches: what follows `--no-password` is another argument. Counts: `--max-new-token 512`. */
export const NO_VALUE =
  /^--?(?:no|skip|without|disable|enable|use|with|require|ask|prompt|generate|random|rotate|print|show|verify|validate|check|allow|max|min|num)-/i;
export const OBJECT_FLAG = /(?:^|-)(?:tls|ca|cert|pull)-secret$/i;
export const NAMESPACED_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
