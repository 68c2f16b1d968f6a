import type { CelFunction } from '../function.js';
import { present, textOf } from '../values.js';
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
    summary: 'SECRET_NAME: whether a name says that its value is a secret.',
    example: 'isSecretName("DB_PASSWORD") && !isSecretName("DB_PASSWORD_FILE") && !isSecretName(1)',
    call: (name: unknown) => isSecretName(textOf(name)),
  },
  {
    signature: 'isNoSecret(dyn): bool',
    summary:
      'NO_SECRET value: empty, a truth value, a path, a URL without userinfo, a placeholder, a reference to a secret store, a duration, an encrypted text, a public key or a certificate.',
    example: 'isNoSecret("$(DB_PASSWORD)") && isNoSecret("vault:secret/db#pw") && !isNoSecret("hunter2")',
    call: (value: unknown) => isNoSecret(present(value)),
  },
  {
    signature: 'hasSecretValue(dyn): bool',
    summary:
      'SECRET_VALUE: whether the text holds a credential of a known form (private key, cloud key, token, Authorization header, login to a registry) that is not a sample.',
    example: 'hasSecretValue("glpat-" + "abcdefghij0123456789") && !hasSecretValue("AKIAIOSFODNN7EXAMPLE")',
    call: (text: unknown) => hasSecretValue(textOf(text)),
  },
  {
    signature: 'secretValueLine(dyn): int',
    summary: 'The first line of a text, from 1, on which such a credential starts; 0 if there is none.',
    example: 'secretValueLine("a\\nglpat-" + "abcdefghij0123456789") == 2 && secretValueLine("a") == 0',
    call: (text: unknown) => BigInt(secretValueLine(textOf(text))),
  },
  {
    signature: 'isPlaceholder(dyn): bool',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows what a placeholder looks like
    summary: 'Whether the text is wholly a `${..}`, `${{..}}`, `$(..)`, `{{..}}` or `<..>` placeholder.',
    example: 'isPlaceholder("<your-password>") && isPlaceholder("{{ .Values.pw }}") && !isPlaceholder("pw-$(X)")',
    call: (text: unknown) => isPlaceholder(textOf(text)),
  },
  {
    signature: 'holdsSecret(dyn, dyn): bool',
    summary:
      'Whether a setting (name, value) holds a secret in clear: under a SECRET_NAME a value that is not a NO_SECRET value, a way to log in (`SMTP_AUTH: login`) or the path of an entry in a secret store.',
    example: 'holdsSecret("DB_PASSWORD", "hunter2") && !holdsSecret("SMTP_AUTH", "login") && !holdsSecret("PORT", "80")',
    call: (name: unknown, value: unknown) => holdsSecret(textOf(name), present(value)),
  },
  {
    signature: 'isSecretEntry(dyn, dyn): bool',
    summary:
      'Whether an entry of settings (name, value) holds a secret in clear: a SECRET_VALUE, or under a SECRET_NAME a text of 4 characters or more that is no NO_SECRET value and not the name of a Secret.',
    example:
      'isSecretEntry("password", "hunter2") && !isSecretEntry("secret", "grafana-admin-credentials") && !isSecretEntry("password", 1)',
    call: (name: unknown, value: unknown) => isSecretEntry(textOf(name), present(value)),
  },
  {
    signature: 'commandSecrets(dyn): list<string>',
    summary:
      'What carries a secret in clear in a command line, by name: a flag, a variable that a shell sets, a header, a login of curl, mysql or redis-cli, a URL. A variable, a path, a placeholder or the name of an object is not a secret.',
    example:
      'commandSecrets("PW=$X run --token=abcd --password $(PW) --tls-secret=web-tls && curl -u shop:hunter2 x") == ["--token", "curl -u"]',
    call: (line: unknown) => [...new Set(commandSecrets(textOf(line)).map(({ name }) => name))],
  },
  {
    signature: 'hasConnectionPassword(dyn): bool',
    summary:
      'Whether a text holds a connection string with a password in clear: a URL with userinfo, or an item such as Password=… of a list separated by `;`, `&` or `?`.',
    example: 'hasConnectionPassword("redis://:hunter2@cache") && !hasConnectionPassword("redis://:$(PW)@cache")',
    call: (text: unknown) => connectionPasswordLine(textOf(text)) > 0,
  },
  {
    signature: 'connectionPasswordLine(dyn): int',
    summary: 'The first line of a text, from 1, that holds such a connection string; 0 if there is none.',
    example: 'connectionPasswordLine("mode: fast\\nurl: redis://:hunter2@cache") == 2',
    call: (text: unknown) => BigInt(connectionPasswordLine(textOf(text))),
  },
  {
    signature: 'secretSettings(dyn): list<dyn>',
    summary:
      'The settings that a line of a configuration text sets to a password or a key in clear, as {name, line}: each once, with the first line (from 1) that sets it.',
    example: 'secretSettings("mode=fast\\ndb.password=hunter2") == [{"name": "db.password", "line": 2}]',
    call: (text: unknown) => secretSettings(textOf(text)).map(({ name, line }) => ({ name, line: BigInt(line) })),
  },
];
