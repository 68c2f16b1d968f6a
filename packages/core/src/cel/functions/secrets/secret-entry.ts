import { isNoSecret } from './no-secret.js';
import { isSecretName } from './secret-name.js';
import { hasSecretValue } from './secret-value.js';

/**
 * Whether a setting holds a secret in clear, by its name and a value that is not a NO_SECRET value. What a name with `auth` at its end selects
 * is not one (`SMTP_AUTH: login`), nor is the path of an entry in a secret store (`DB_SECRET: prod/shop/db`).
 */
export function holdsSecret(name: string, value: unknown): boolean {
  if (!isSecretName(name) || isNoSecret(value)) return false;
  const text = String(value).trim();
  const method = AUTH_NAME.test(name) && AUTH_METHOD.test(text) && !COMMON_PASSWORD.test(text);
  return !method && !(STORED_NAME.test(name) && STORED_PATH.test(text));
}

export const AUTH_NAME = /(?:^|[._-])auth$/i;
/** Words, and the few ways to log in that have a digit … */
export const AUTH_METHOD =
  /^(?:[a-z]+(?:[_-][a-z]+)*|x?oauth2(?:[_-]?proxy)?|saml2|x509|(?:cram-|digest-)?md5|scram-sha-?\d+|(?:aws-?)?sigv4|k8s)$/i;

/** … but for the words that are passwords. */
export const COMMON_PASSWORD = /^(?:change[_-]?(?:me|it)|secret|admin|root|guest|letmein|mysecret\w*|supersecret\w*|\w+password)$/i;

export const STORED_NAME = /(?:secret|credential)s?$/i;

/** At least three words in lower case. */
export const STORED_PATH = /^(?:[a-z_.-][a-z0-9_.-]*\/){2,}[a-z_.-][a-z0-9_.-]*$/;

/**
 * Whether an entry of a chart's values, a parameter or a setting holds a secret in clear: the value is a credential of a
 * known form, or the name says so and the value is a text of four characters or more that is not surely something else.
 */
export function isSecretEntry(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (hasSecretValue(value)) return true;
  return value.length >= SHORTEST && holdsSecret(name, value) && !namesObject(name, value) && !namesKey(name, value);
}

const SHORTEST = 4;

/** `secret: grafana-admin-credentials`: the setting takes the name of a Secret, as most charts do. */
export function namesObject(name: string, value: string): boolean {
  if (!OBJECT_NAME.test(value)) return false;
  return /secrets$/i.test(name) || (/secret$/i.test(name) && !VALUE_SECRET.test(name) && OBJECT_WORD.test(value));
}

export const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
export const OBJECT_WORD = /-(?:secrets?|creds|credentials|auth|tls|certs?|config|objstore|passwords?|tokens?|keys)$/;

/** Words before `secret` that make it a value: a client secret, a signing secret. */
export const VALUE_SECRET =
  /(?:client|jwt|webhook|hook|session|cookie|app|application|signing|shared|oauth|oidc|api|key|access|consumer|csrf|hmac|token)[._-]?secret$/i;

/** `secretKey: admin-password`: the setting takes the name of a key inside a Secret, which has no digits; a key has some. */
function namesKey(name: string, value: string): boolean {
  return /secret[._-]?key$/i.test(name) && /^[A-Za-z._-]{1,63}$/.test(value);
}
