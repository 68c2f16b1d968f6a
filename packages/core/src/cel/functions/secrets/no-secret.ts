import { hasSecretValue } from './secret-value.js';

/**
 * NO_SECRET value of the catalogue: whether a scalar is not a secret in clear: empty, a truth value, a path, a URL without userinfo (unless it
 * is itself a credential), a placeholder, a reference to a secret store. Beyond the catalogue, what cannot be a secret either: `none` and similar
 * words, variables, durations, encrypted texts and public keys. `Bearer` and `Basic` before such a value change nothing. Truth values and
 * numbers of a document count by their text; any other value holds no secret.
 */
export function isNoSecret(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'object') return true;
  const text = String(value).trim().replace(SCHEME, '');
  return (
    WORDS.has(text.toLowerCase()) ||
    REFERENCE.test(text) ||
    VARIABLE.test(text) ||
    text.endsWith('@azurekeyvault') ||
    isPlaceholder(text) ||
    PATH.test(text) ||
    (URL_WITHOUT_USERINFO.test(text) && !hasSecretValue(text)) ||
    DURATION.test(text) ||
    ENCRYPTED.test(text) ||
    (PUBLIC.test(text) && !text.includes('PRIVATE KEY'))
  );
}

/** Whether a text is wholly made of `${..}`, `${{..}}`, `$(..)`, `{{..}}` or `<..>` placeholders. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.test(text);
}

export const SCHEME = /^(?:bearer|basic)\s+/i;
export const WORDS = new Set(['', 'true', 'false', 'yes', 'no', 'on', 'off', '0', '1', 'null', 'none', 'enabled', 'disabled']);
export const PLACEHOLDERS = /^\s*(?:\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\([^)]*\)|\{\{[^}]*\}\}|<[^<>]*>)+\s*$/;

/** The forms of Vault agents, bank-vaults (also for OpenBao and Google), 1Password, vals, AWS and Google. */
export const REFERENCE = /^(?:vault:|>>vault:|bao:|op:\/\/|ref\+|arn:|projects\/|gcp:secretmanager:)/;

/** `$DB_PASSWORD` of a shell, `$dex.github.clientSecret` of Argo CD. A password may start with a dollar, but hardly like these. */
export const VARIABLE = /^\$(?:[A-Z][A-Z0-9_]{2,}|[a-z][\w-]*[.:][\w.:-]+)$/;

export const PATH = /^(?:(?:file:)?\/|\.{1,2}\/|~\/)/;
export const URL_WITHOUT_USERINFO = /^https?:\/\/[^\s/?#@]*(?:[/?#]\S*)?$/i;
export const DURATION = /^\d{1,6}(?:ms|[smhd])$/;

/** SOPS, eyaml and Jasypt; Spring Cloud Config; Ansible Vault. */
export const ENCRYPTED = /^(?:ENC[[(]|\{cipher\}|\$ANSIBLE_VAULT;)/;
export const PUBLIC =
  /^(?:-----BEGIN (?:[A-Z0-9 ]*PUBLIC KEY(?: BLOCK)?|(?:TRUSTED )?CERTIFICATE|X509 CRL)-----|(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S+) AAAA)/;
