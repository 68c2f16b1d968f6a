import { isNoSecret } from './no-secret.js';
import { linesOfConfiguration } from './text-lines.js';

/** A setting by its name, such as `spring.datasource.password`, and the number (from 1) of the first line that sets it. */
export interface SecretSetting {
  name: string;
  line: number;
}

/**
 * The settings that a line of a text (properties, environment, YAML, INI, JSON) sets to a password or a key in clear, each once. Comments,
 * references, placeholders and code do not count. Linear in the text.
 */
export function secretSettings(text: string): SecretSetting[] {
  if (!HINT.test(text)) return [];
  const found = new Map<string, number>();
  for (const { line, number } of linesOfConfiguration(text)) {
    const match = HINT.test(line) ? SETTING.exec(line) : null;
    const [, name = '', bare, quoted] = match ?? [];
    const value = bare ?? quoted ?? '';
    if (match && !found.has(name) && !isNoSecret(value) && !NO_VALUE.test(value) && !isCode(name, value)) found.set(name, number);
  }
  return Array.from(found, ([name, line]) => ({ name, line }));
}

const HINT = /passw|secret|api[_.-]?key/i;
const VALUE = '[^\\s"\'$<{(\\[,;/!*#%`|&>-][^\\s"\'$<{(\\[,;]{3,}';

/** A comma may follow only a quoted value: after a bare one it is an argument of a call. */
const SETTING = new RegExp(
  '^[ \\t]*(?:export[ \\t]+)?["\']?' +
    '((?:[\\w.-]*[._-])?(?:password|passwd|client[_.-]?secret|secret[_.-]?(?:access[_.-]?)?key|api[_.-]?key))' +
    `["']?[ \\t]*[=:][ \\t]*(?:["']?(${VALUE})["']?;?|["'](${VALUE})["'],)[ \\t]*$`,
  'i',
);

/** Words that describe a setting instead of being its value. */
const NO_VALUE = /^(?:true|false|null|none|nil|required|optional|enabled|disabled|string|bool|boolean|integer|undefined)$/i;

/** `password = options.password`, and `secretKey: admin-password`, which names a key inside a Secret. */
function isCode(name: string, value: string): boolean {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || (name === 'secretKey' && /^[A-Za-z._-]+$/.test(value));
}
