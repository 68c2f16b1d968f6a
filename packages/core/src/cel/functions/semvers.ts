import { failure } from '../budget/budget.js';
import type { CelFunction } from '../function.js';
import { Semver } from '../kubernetes/semver.js';
import { textOrEmpty } from '../standard/values.js';

/** Kubernetes' semantic version library. */
export const semvers: readonly CelFunction[] = [
  {
    signature: 'semver(string): kubernetes.Semver',
    summary: 'The semantic version; an error if the string is not one.',
    example: 'semver("1.2.3").minor() == 2',
    call: (text: string) => required(text, false),
  },
  {
    signature: 'semver(string, bool): kubernetes.Semver',
    summary: 'The same. If the second argument is true, a leading v, missing numbers and leading zeros are also accepted.',
    example: 'semver("v1.0", true) == semver("1.0.0")',
    call: required,
  },
  {
    signature: 'isSemver(dyn): bool',
    total: true,
    summary: 'Whether the value is a string that semver() accepts.',
    example: 'isSemver("1.0.0-rc.1") && !isSemver("v1.0") && !isSemver(1)',
    call: (text: unknown) => Semver.parse(textOrEmpty(text)) !== undefined,
  },
  {
    signature: 'isSemver(dyn, bool): bool',
    summary: 'Whether the value is a string that semver() accepts with the same second argument.',
    example: 'isSemver("v1.0", true) && !isSemver("one", true)',
    call: (text: unknown, normalize: boolean) => parse(textOrEmpty(text), normalize) !== undefined,
  },
  number('major', (version) => version.major),
  number('minor', (version) => version.minor),
  number('patch', (version) => version.patch),
  {
    signature: 'kubernetes.Semver.compareTo(kubernetes.Semver): int',
    summary: '-1, 0 or 1: lower, equal or higher precedence.',
    example: 'semver("1.0.0-rc.1").compareTo(semver("1.0.0")) == -1',
    call: (a: Semver, b: Semver) => a.compareTo(b),
  },
  {
    signature: 'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool',
    summary: 'Whether the version is later than the other.',
    example: 'semver("1.10.0").isGreaterThan(semver("1.9.0"))',
    call: (a: Semver, b: Semver) => a.compareTo(b) > 0n,
  },
  {
    signature: 'kubernetes.Semver.isLessThan(kubernetes.Semver): bool',
    summary: 'Whether the version is earlier than the other.',
    example: 'semver("1.9.0").isLessThan(semver("1.10.0"))',
    call: (a: Semver, b: Semver) => a.compareTo(b) < 0n,
  },
];

function number(name: string, of: (version: Semver) => bigint): CelFunction {
  return {
    signature: `kubernetes.Semver.${name}(): int`,
    summary: `The ${name} version number.`,
    example: `semver("7.7.7").${name}() == 7`,
    call: (version: Semver) => of(version),
  };
}

function parse(text: string, normalize: boolean): Semver | undefined {
  return normalize ? Semver.parseNormalized(text) : Semver.parse(text);
}

function required(text: string, normalize: boolean): Semver {
  const version = parse(text, normalize);
  if (version === undefined) throw failure('not a semantic version');
  return version;
}
