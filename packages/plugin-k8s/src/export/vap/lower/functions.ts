import { NotExportable } from '../term/not-exportable.js';
import type { Call } from '../term/term.js';
import type { Scope } from '../term/type.js';

/**
 * What the CEL of every API server since Kubernetes 1.30, the first with ValidatingAdmissionPolicy v1, can call.
 * Source: k8s.io/apiserver, pkg/cel/environment/base.go and the cel-go libraries that it names.
 */
const FUNCTIONS = new Set([
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'size', 'string', 'timestamp', 'type', 'uint'],
  ...['cidr', 'has', 'ip', 'isCIDR', 'isIP', 'isQuantity', 'isURL', 'quantity', 'url'],
]);

const METHODS = new Set([
  ...['contains', 'endsWith', 'matches', 'size', 'startsWith'],
  ...[
    'getDate',
    'getDayOfMonth',
    'getDayOfWeek',
    'getDayOfYear',
    'getFullYear',
    'getHours',
    'getMilliseconds',
    'getMinutes',
    'getMonth',
    'getSeconds',
  ],
  // Optionals
  ...['hasValue', 'or', 'orValue', 'value'],
  // Strings, version 2; regular expressions
  ...[
    'charAt',
    'format',
    'indexOf',
    'join',
    'lastIndexOf',
    'lowerAscii',
    'replace',
    'split',
    'substring',
    'trim',
    'upperAscii',
    'find',
    'findAll',
  ],
  // Lists
  ...['isSorted', 'max', 'min', 'sum'],
  // Quantities
  ...['add', 'asApproximateFloat', 'asInteger', 'compareTo', 'isGreaterThan', 'isInteger', 'isLessThan', 'sub'],
  // Addresses and URLs
  ...[
    'containsCIDR',
    'containsIP',
    'family',
    'ip',
    'isGlobalUnicast',
    'isLinkLocalMulticast',
    'isLinkLocalUnicast',
    'isLoopback',
    'isUnspecified',
  ],
  ...['masked', 'prefixLength', 'getEscapedPath', 'getHost', 'getHostname', 'getPort', 'getQuery', 'getScheme'],
]);

/** Names that functions hang on in our dialect, and those of the functions that the API server has. */
const NAMESPACES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['optional', new Set(['none', 'of', 'ofNonZeroValue'])],
  ['sets', new Set(['contains', 'equivalent', 'intersects'])],
  ['strings', new Set(['quote'])],
  ['ip', new Set(['isCanonical'])],
  ['base64', new Set()],
  ['lists', new Set()],
  ['math', new Set()],
]);

/** @throws {NotExportable} for a function that an API server may lack. */
export function checkFunction({ name, on }: Call, scope: Scope): void {
  const namespace = on?.is === 'name' && !scope.has(on.name) ? NAMESPACES.get(on.name) : undefined;
  const known = namespace ?? (on === undefined ? FUNCTIONS : METHODS);
  if (!known.has(name)) throw new NotExportable('function', `${namespace && on?.is === 'name' ? `${on.name}.` : ''}${name}()`);
}
