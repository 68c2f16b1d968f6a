import type { CelFunction } from '../function.js';
import { present, textOf } from '../values.js';
import { hasConnectionPassword } from './connection-password.js';
import { isNoSecret, isPlaceholder } from './no-secret.js';
import { isSecretEntry } from './secret-entry.js';
import { secretFlags } from './secret-flags.js';
import { isSecretName } from './secret-name.js';
import { secretSettings } from './secret-settings.js';
import { hasSecretValue } from './secret-value.js';

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
      'NO_SECRET value: empty, a truth value, a path, a URL without userinfo, a placeholder, a reference to a secret store, an encrypted text, a public key or a certificate.',
    example: 'isNoSecret("$(DB_PASSWORD)") && isNoSecret("vault:secret/db#pw") && !isNoSecret("hunter2")',
    call: (value: unknown) => isNoSecret(present(value)),
  },
  {
    signature: 'hasSecretValue(dyn): bool',
    summary: 'SECRET_VALUE: whether the text holds a credential of a known form (private key, cloud key, token) that is no sample.',
    example: 'hasSecretValue("glpat-" + "abcdefghij0123456789") && !hasSecretValue("AKIAIOSFODNN7EXAMPLE")',
    call: (text: unknown) => hasSecretValue(textOf(text)),
  },
  {
    signature: 'isPlaceholder(dyn): bool',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows what a placeholder looks like
    summary: 'Whether the text is wholly a `${..}`, `${{..}}`, `$(..)`, `{{..}}` or `<..>` placeholder.',
    example: 'isPlaceholder("<your-password>") && isPlaceholder("{{ .Values.pw }}") && !isPlaceholder("pw-$(X)")',
    call: (text: unknown) => isPlaceholder(textOf(text)),
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
    signature: 'secretFlags(dyn): list<string>',
    summary:
      'The flags of a command line that carry a secret in clear; a variable, a path, a placeholder or the name of an object is none.',
    example: 'secretFlags("run --token=abcd --password $(PW) --tls-secret=web-tls") == ["--token"]',
    call: (line: unknown) => secretFlags(textOf(line)),
  },
  {
    signature: 'hasConnectionPassword(dyn): bool',
    summary:
      'Whether a text holds a connection string with a password in clear: a URL with userinfo, or an item such as Password=… of a list separated by `;`, `&` or `?`.',
    example: 'hasConnectionPassword("redis://:hunter2@cache") && !hasConnectionPassword("redis://:$(PW)@cache")',
    call: (text: unknown) => hasConnectionPassword(textOf(text)),
  },
  {
    signature: 'secretSettings(dyn): list<string>',
    summary: 'The names of the settings that a line of a configuration text sets to a password or a key in clear.',
    example: 'secretSettings("mode=fast\\ndb.password=hunter2") == ["db.password"]',
    call: (text: unknown) => secretSettings(textOf(text)),
  },
];
