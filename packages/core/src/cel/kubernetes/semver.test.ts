import { describe, expect, it } from 'vitest';
import { Semver } from './semver.js';

describe('a semantic version', () => {
  it.each(['0.0.0', '1.2.3', '1.0.0-alpha.1', '1.0.0-0.3.7', '1.0.0+build.01', '1.0.0-rc.1+exp.sha.5114f85'])('%s', (text) => {
    expect(Semver.parse(text)).toBeDefined();
  });

  it.each(['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3-a..b', '1.2.3+', '1.2.3.4', ' 1.2.3', 'a.b.c', '200K'])(
    '%j is none',
    (text) => {
      expect(Semver.parse(text)).toBeUndefined();
    },
  );

  it.each([
    ['v1.0', '1.0.0-'],
    ['1', '1.0.0-'],
    ['01.01.01', '1.1.1-'],
    ['v1.2.3-rc.1', '1.2.3-rc.1'],
    ['1.0-rc', undefined],
    ['one', undefined],
  ])('%s is normalized', (text, identity) => {
    expect(Semver.parseNormalized(text)?.identity).toBe(identity);
  });

  it('is ordered by precedence', () => {
    // The order of semver.org, item 11.
    const order = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.9.0',
      '1.10.0',
      '2.0.0',
    ];
    const versions = order.map((text) => Semver.parse(text) ?? expect.fail(text));
    versions.forEach((a, i) => {
      versions.forEach((b, j) => {
        expect(a.compareTo(b)).toBe(BigInt(Math.sign(i - j)));
      });
    });
  });

  it('is equal whatever its build', () => {
    expect(Semver.parse('1.0.0+a')?.identity).toBe(Semver.parse('1.0.0+b')?.identity);
  });
});
