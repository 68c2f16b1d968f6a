/**
 * What a YAML scalar means to Kubernetes: sigs.k8s.io/yaml reads YAML 1.1 with go-yaml v2 and then converts to JSON.
 * `yes` is true, `0777` is 511, `1e3` is 1000, while `190:20:30` and timestamps stay strings. The rules are those of go-yaml's
 * resolve.go; `scalar.test.ts` holds them against a table recorded from sigs.k8s.io/yaml 1.6.0 itself.
 */

/** A scalar that cannot be read: `reason` completes a sentence that starts with the scalar. */
export class ScalarError extends Error {}

export type ScalarValue = string | number | boolean | null;

/** The value of a plain (unquoted, untagged) scalar. @throws {ScalarError} for infinities and NaN, which JSON has no form for. */
export function resolvePlain(text: string): ScalarValue {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  if ((first >= 48 && first <= 57) || first === 43 || first === 45) return resolveSignOrDigit(text);
  if (first === 46) return resolveDot(text);
  // Only words of at most five letters that start with one of `fFnNoOtTyY~` can mean anything but themselves.
  if (text.length <= 5 && MAY_START_WORD[first] === 1) {
    const word = WORDS.get(text);
    return word === undefined ? text : word;
  }
  return text;
}

/** The value of a scalar with an explicit tag, such as `!!str 1`. `tag` is as written, or its long form. @throws {ScalarError} */
export function resolveTagged(tag: string, text: string): ScalarValue {
  const name = shortTag(tag);
  switch (name) {
    case '!!int':
    case '!!float':
    case '!!bool':
    case '!!null':
      return resolveExpecting(name, text);
    case '!!timestamp':
      if (TIMESTAMP.test(text)) return text;
      throw new ScalarError(`is not a valid ${name}`);
    case '!!binary':
      return decodeBinary(text);
    default:
      return text;
  }
}

/** The name that a scalar gives to a mapping entry: JSON knows string keys only. @throws {ScalarError} for null and for integers out of range. */
export function keyOf(text: string, tag: string | undefined): string {
  if (tag === undefined && NOT_A_JSON_NUMBER.test(text)) return text.toLowerCase().replace('+', '');
  const value = tag === undefined ? resolvePlain(text) : resolveTagged(tag, text);
  if (typeof value === 'string') return value;
  if (value === null) throw new ScalarError('is null and cannot be a key: quote it');
  if (typeof value === 'boolean') return String(value);
  if (isInteger(text) && !isFloatTag(tag)) return integerKey(value, text);
  return formatFloat32(value === 0 && text.startsWith('-') ? -0 : value);
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

const MAY_START_WORD = new Uint8Array(65_536);
for (const letter of 'fFnNoOtTyY~') MAY_START_WORD[letter.charCodeAt(0)] = 1;

/** The form of nearly all numbers in manifests, and exact as a number. */
const SHORT_DECIMAL = /^[-+]?(?:0|[1-9][0-9]{0,14})$/;
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const DOT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const NOT_A_JSON_NUMBER = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/;

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

function resolveSignOrDigit(text: string): ScalarValue {
  if (SHORT_DECIMAL.test(text)) return Number(text) || 0;
  if (NOT_A_JSON_NUMBER.test(text)) throw new ScalarError('cannot be written in JSON, so Kubernetes rejects it');
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  if (INTEGER.test(plain)) {
    const value = integerOf(plain);
    if (value !== undefined) return value;
  }
  if (FLOAT.test(plain)) {
    const value = Number(plain);
    if (Number.isFinite(value)) return value === 0 ? 0 : value;
  }
  return text;
}

function resolveDot(text: string): ScalarValue {
  if (NOT_A_JSON_NUMBER.test(text)) throw new ScalarError('cannot be written in JSON, so Kubernetes rejects it');
  if (!DOT_FLOAT.test(text)) return text;
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? value : text;
}

/** Undefined when it fits neither int64 nor uint64: go-yaml then tries it as a float. */
function integerOf(plain: string): number | undefined {
  const value = bigIntegerOf(plain);
  const signed = plain.startsWith('+');
  if (value < -INT64_MAX - 1n || value > (signed ? INT64_MAX : UINT64_MAX)) return undefined;
  return Number(value);
}

function bigIntegerOf(plain: string): bigint {
  const negative = plain.startsWith('-');
  const digits = plain.replace(/^[-+]/, '').replace(/^0(?=[0-7]+$)/, '0o');
  const magnitude = BigInt(digits.toLowerCase());
  return negative ? -magnitude : magnitude;
}

const KIND_OF_TAG = { '!!int': 'number', '!!float': 'number', '!!bool': 'boolean', '!!null': 'object' } as const;

function resolveExpecting(tag: keyof typeof KIND_OF_TAG, text: string): ScalarValue {
  const value = resolvePlain(text);
  if (typeof value !== KIND_OF_TAG[tag] || (tag === '!!int' && !isInteger(text))) throw new ScalarError(`is not a valid ${tag}`);
  return value;
}

function isInteger(text: string): boolean {
  const plain = text.replaceAll('_', '');
  return INTEGER.test(plain) && integerOf(plain) !== undefined;
}

function decodeBinary(text: string): string {
  const base64 = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) throw new ScalarError('is not valid base64');
  return Buffer.from(base64, 'base64').toString('utf8');
}

function isFloatTag(tag: string | undefined): boolean {
  return tag !== undefined && shortTag(tag) === '!!float';
}

function shortTag(tag: string): string {
  const long = tag.startsWith('!<') ? tag.slice(2, -1) : tag;
  return long.startsWith('tag:yaml.org,2002:') ? `!!${long.slice('tag:yaml.org,2002:'.length)}` : long;
}

function integerKey(value: number, source: string): string {
  if (Number.isSafeInteger(value)) return String(value);
  const exact = bigIntegerOf(source.replaceAll('_', ''));
  if (exact > INT64_MAX) throw new ScalarError('is too large a number to be a key: quote it');
  return String(exact);
}

/** As Go's FormatFloat(v, 'g', -1, 32) prints it: sigs.k8s.io/yaml converts float keys so. */
function formatFloat32(value: number): string {
  const single = Math.fround(value);
  let precision = 1;
  while (precision < 9 && Math.fround(Number(single.toExponential(precision - 1))) !== single) precision++;
  const shortest = single.toExponential(precision - 1);
  const [digits = '', exponent = '0'] = shortest.split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return Object.is(single, -0) ? '-0' : String(Number(shortest));
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
