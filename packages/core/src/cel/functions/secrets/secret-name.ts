/**
 * SECRET_NAME of the catalogue: whether a name says that its value is a secret. Dots, dashes and underscores are equal
 * and optional inside the words. Exempt are names that speak about a secret without holding one.
 */
export function isSecretName(name: string): boolean {
  if (name.length > MAX_LENGTH) return false;
  return (WORD.test(name) || CAMEL_ENDING.test(name)) && !EXEMPT.test(name) && !exemptBySegment(segmentsOf(name));
}

/** Longer texts are not names: a key of a ConfigMap has at most 253 characters. */
const MAX_LENGTH = 253;

export const WORD =
  /passw(?:or)?d|passphrase|secret|token|api[._-]?key|private[._-]?key|access[._-]?key|credential|(?:^|[._-])(?:pass|pwd|pw|auth)$|(?:account|storage|encryption|signing|auth|master|azure[._-]?batch)[._-]?key$|cli[._-]?key[._-]?content$/i;
export const CAMEL_ENDING = /[a-z0-9](?:Pass|Pwd)$/;

/**
 * `from_secret` and the pull secrets name an object; `tokenFile` may be written in one word. What begins with NEXT_PUBLIC_ is served to every
 * browser; a language model's `pad_token` is a word; the `…_SSL_KEYSTORE_CREDENTIALS` of Confluent's images name files.
 */
export const EXEMPT =
  /^existing|^next_public_|(?:^|[._-])(?:pad|eos|bos|unk|sep|cls|mask)[._-]?token(?:[._-]?id)?$|ssl[._-](?:key|keystore|truststore)[._-]credentials$|^(?:max|min|num)[._-]?(?:\w*[._-])?token$|tokeniz|(?:tls|cert|pull|from)[._-]?secrets?$|(?:password|token)(?:[._-]?secret)?[._-]?key$|public[._-]?key$|(?:passw(?:or)?d|passphrase|secret|token|credentials?|key)(?:file(?:name|path)?|path|dir|name|ref|url)s?$|\.(?:sh|py|js|ts|sql|rego|lua|rb|go|md|html|tpl|tmpl)$/i;

export const ABOUT_A_SECRET = new Set(
  `file filename filepath path dir directory folder location name user username namespace ref url uri host address endpoint port region service
  issuer audience scope claim cookie field column table param parameter ttl age expiry expiration expires validity leeway lifetime lifespan
  timeout interval period duration seconds minutes hours days length size count cost rounds limit min max type kind class alg algorithm encoding
  encryption policy rule requirement rotation strategy pattern regex complexity strength provider backend engine driver plugin manager mount
  addr method command argument helper encoder rate bucket subject template role validator blacklist denylist
  projection mode review reviewer request source store header prefix suffix selector label annotation format version arn enabled disabled required`.split(
    /\s+/,
  ),
);

function exemptBySegment(segments: readonly string[]): boolean {
  const last = segments.at(-1) ?? '';
  const aboutASecret = ABOUT_A_SECRET.has(last) || singulars(last).some((word) => ABOUT_A_SECRET.has(word));
  const caSecret = /^secrets?$/.test(last) && segments.at(-2) === 'ca';
  const expiresIn = last === 'in' && /^expir/.test(segments.at(-2) ?? '');
  return aboutASecret || caSecret || expiresIn || segments.includes('tokens');
}

function singulars(word: string): string[] {
  if (!word.endsWith('s')) return [];
  return [word.slice(0, -1), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}

/** A file is named by what comes before its extension: `secret-store.yaml` is about a store. */
export const EXTENSION = /\.(?:txt|ya?ml|json|conf|cfg|ini|toml|properties|xml|env|csv)$/i;

/** `dbPasswordFile`, `DB_PASSWORD_FILE` and `db.password-file` all end in the segment `file`. */
function segmentsOf(name: string): string[] {
  return name
    .replace(EXTENSION, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[._-]+/);
}
