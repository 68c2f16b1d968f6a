import type { CelFunction } from '../../function.js';
import { present, textOrEmpty } from '../../standard/values.js';
import { commandSecrets } from './command-secrets.js';
import { connectionPasswordLine } from './connection-password.js';
import { isNoSecret, isPlaceholder } from './no-secret.js';
import { holdsSecret, isSecretEntry } from './secret-entry.js';
import { isSecretName } from './secret-name.js';
import { secretSettings } from './secret-settings.js';
import { hasSecretValue, secretValueLine } from './secret-value.js';

/** What looks like a secret: the catalogue's named definitions. Total. */
export const secrets: readonly CelFunction[] = [
  {
    signature: 'isSecretName(dyn): bool',
    summary: 'Whether a name is a SECRET_NAME: it indicates that its value is a secret.',
    example: 'isSecretName("DB_PASSWORD") && !isSecretName("DB_PASSWORD_FILE") && !isSecretName(1)',
    call: (name: unknown) => isSecretName(textOrEmpty(name)),
  },
  {
    signature: 'isNoSecret(dyn): bool',
    summary:
      'Whether a value is a NO_SECRET value: empty, a boolean, a path, a URL without userinfo, a placeholder, a reference to a secret store, a duration, an encrypted text, a public key or a certificate.',
    example: 'isNoSecret("$(DB_PASSWORD)") && isNoSecret("vault:secret/db#pw") && !isNoSecret("hunter2")',
    call: (value: unknown) => isNoSecret(present(value)),
  },
  {
    signature: 'hasSecretValue(dyn): bool',
    summary:
      'Whether a string contains a SECRET_VALUE: a credential of a known form (private key, cloud key, token, Authorization header, registry login) that is not a sample.',
    example: 'hasSecretValue("glpat-" + "abcdefghij0123456789") && !hasSecretValue("AKIAIOSFODNN7EXAMPLE")',
    call: (text: unknown) => hasSecretValue(textOrEmpty(text)),
  },
  {
    signature: 'secretValueLine(dyn): int',
    summary: 'The number of the first line, counted from 1, on which such a credential starts; 0 if there is none.',
    example: 'secretValueLine("a\\nglpat-" + "abcdefghij0123456789") == 2 && secretValueLine("a") == 0',
    call: (text: unknown) => BigInt(secretValueLine(textOrEmpty(text))),
  },
  {
    signature: 'isPlaceholder(dyn): bool',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows what a placeholder looks like
    summary: 'Whether the whole string is a `${..}`, `${{..}}`, `$(..)`, `{{..}}` or `<..>` placeholder.',
    example: 'isPlaceholder("<your-password>") && isPlaceholder("{{ .Values.pw }}") && !isPlaceholder("pw-$(X)")',
    call: (text: unknown) => isPlaceholder(textOrEmpty(text)),
  },
  {
    signature: 'holdsSecret(dyn, dyn): bool',
    summary:
      'Whether a setting (name, value) contains a secret in plain text: the name is a SECRET_NAME, and the value is not a NO_SECRET value, a login method (`SMTP_AUTH: login`) or the path of an entry in a secret store.',
    example: 'holdsSecret("DB_PASSWORD", "hunter2") && !holdsSecret("SMTP_AUTH", "login") && !holdsSecret("PORT", "80")',
    call: (name: unknown, value: unknown) => holdsSecret(textOrEmpty(name), present(value)),
  },
  {
    signature: 'isSecretEntry(dyn, dyn): bool',
    summary:
      'Whether an entry of settings (name, value) contains a secret in plain text: a SECRET_VALUE, or, under a SECRET_NAME, a string of at least 4 characters that is neither a NO_SECRET value nor the name of a Secret.',
    example:
      'isSecretEntry("password", "hunter2") && !isSecretEntry("secret", "grafana-admin-credentials") && !isSecretEntry("password", 1)',
    call: (name: unknown, value: unknown) => isSecretEntry(textOrEmpty(name), present(value)),
  },
  {
    signature: 'commandSecrets(dyn): list<string>',
    summary:
      'The names of the parts of a command line that contain a secret in plain text: a flag, a variable that a shell sets, a header, a login of curl, mysql or redis-cli, a URL. A variable, a path, a placeholder or the name of an object is not a secret.',
    example:
      'commandSecrets("PW=$X run --token=abcd --password $(PW) --tls-secret=web-tls && curl -u shop:hunter2 x") == ["--token", "curl -u"]',
    call: (line: unknown) => [...new Set(commandSecrets(textOrEmpty(line)).map(({ name }) => name))],
  },
  {
    signature: 'hasConnectionPassword(dyn): bool',
    summary:
      'Whether a string contains a connection string with a password in plain text: a URL with userinfo, or an item such as Password=… in a list separated by `;`, `&` or `?`.',
    example: 'hasConnectionPassword("redis://:hunter2@cache") && !hasConnectionPassword("redis://:$(PW)@cache")',
    call: (text: unknown) => connectionPasswordLine(textOrEmpty(text)) > 0,
  },
  {
    signature: 'connectionPasswordLine(dyn): int',
    summary: 'The number of the first line, counted from 1, that contains such a connection string; 0 if there is none.',
    example: 'connectionPasswordLine("mode: fast\\nurl: redis://:hunter2@cache") == 2',
    call: (text: unknown) => BigInt(connectionPasswordLine(textOrEmpty(text))),
  },
  {
    signature: 'secretSettings(dyn): list<dyn>',
    summary:
      'The settings to which a line of a configuration text assigns a password or a key in plain text, as {name, line}: each setting once, with the number of the first line (counted from 1) that sets it.',
    example: 'secretSettings("mode=fast\\ndb.password=hunter2") == [{"name": "db.password", "line": 2}]',
    call: (text: unknown) => secretSettings(textOrEmpty(text)).map(({ name, line }) => ({ name, line: BigInt(line) })),
  },
];
