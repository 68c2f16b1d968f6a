import { NotExportable } from './not-exportable.js';
import type { Call } from './term.js';

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
  ...['add', 'asApproximateFloat', 'asInteger', 'compareTo', 'isGreaterThan', 'isInteger', 'isLessThan', 'sign', 'sub'],
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

/** Functions that hang on a name. */
const NAMESPACED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['optional', new Set(['none', 'of', 'ofNonZeroValue'])],
  ['sets', new Set(['contains', 'equivalent', 'intersects'])],
  ['strings', new Set(['quote'])],
  ['ip', new Set(['isCanonical'])],
]);

/** @throws {NotExportable} for a function that an API server may lack. */
export function checkFunction({ name, on }: Call): void {
  const known = on === undefined ? FUNCTIONS.has(name) : (on.is === 'name' && NAMESPACED.get(on.name)?.has(name)) || METHODS.has(name);
  if (!known) throw new NotExportable('function', `${name}()`);
}
