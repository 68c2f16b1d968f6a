import { describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { frameworkMatches, parseFrameworkRef, resolveFramework } from './framework-ref.js';

const privileged = { frameworks: ['PSS-BASELINE', 'CIS-K8S-1.10:5.2.2', 'NSA-K8S', 'NIST-800-53:AC-6(5)', 'MITRE-ATTACK:T1611'] };
const anonymous = { frameworks: ['CIS-K8S-1.12:1.2.30', 'NIST-800-53:AC-14', 'CVE-2023-2878'] };

function refusal(query: string): BylawError {
  try {
    resolveFramework(query, [privileged, anonymous]);
  } catch (error) {
    if (error instanceof BylawError) return error;
  }
  throw new Error('nothing was refused');
}

describe('a framework reference', () => {
  it.each([
    ['CIS-K8S-1.10:5.2.2', { framework: 'CIS-K8S-1.10', name: 'CIS-K8S', version: '1.10', item: '5.2.2' }],
    ['NIST-800-53:AC-6', { framework: 'NIST-800-53', name: 'NIST-800-53', version: null, item: 'AC-6' }],
    ['NIST-800-77', { framework: 'NIST-800-77', name: 'NIST-800-77', version: null, item: null }],
    ['OWASP-LLM-2025:LLM01', { framework: 'OWASP-LLM-2025', name: 'OWASP-LLM', version: '2025', item: 'LLM01' }],
    ['ISO-27001:A.8.2', { framework: 'ISO-27001', name: 'ISO-27001', version: null, item: 'A.8.2' }],
    ['PSS-BASELINE', { framework: 'PSS', name: 'PSS', version: null, item: 'BASELINE' }],
    ['PSS-BASELINE:hostPorts', { framework: 'PSS', name: 'PSS', version: null, item: 'BASELINE:hostPorts' }],
    ['CVE-2023-2878', { framework: 'CVE', name: 'CVE', version: null, item: '2023-2878' }],
    ['NSA-K8S', { framework: 'NSA-K8S', name: 'NSA-K8S', version: null, item: null }],
    ['HIPAA:164.308(a)(7)(i)', { framework: 'HIPAA', name: 'HIPAA', version: null, item: '164.308(a)(7)(i)' }],
    ['K8S-DOCS:a:b', { framework: 'K8S-DOCS', name: 'K8S-DOCS', version: null, item: 'a:b' }],
  ])('%s is taken apart into framework, version and item', (ref, parts) => {
    expect(parseFrameworkRef(ref)).toEqual(parts);
  });
});

describe('a framework query', () => {
  it('of a level finds the controls of the level', () => {
    expect(frameworkMatches({ frameworks: ['PSS-BASELINE:hostPorts'] }, 'pss-baseline')).toBe(true);
    expect(frameworkMatches({ frameworks: ['PSS-BASELINE:hostPorts'] }, 'PSS:BASELINE:hostPorts')).toBe(true);
    expect(frameworkMatches({ frameworks: ['PSS-BASELINE:hostPorts'] }, 'PSS-RESTRICTED')).toBe(false);
  });

  it.each([
    'CIS-K8S-1.10',
    'cis-k8s',
    'CIS',
    'CIS-K8S-1.10:5.2.2',
    'cis-k8s:5.2',
    'PSS',
    'pss-baseline',
    'PSS:Baseline',
    'nsa-k8s',
    'NIST',
    'NIST-800-53:AC',
    'NIST-800-53:ac-6',
    ' mitre-attack:t1611 ',
  ])('%s finds a rule that maps to it', (query) => {
    expect(frameworkMatches(privileged, query)).toBe(true);
  });

  it.each([
    'CIS-K8S-1.1',
    'CIS-K8S-1.12',
    'CIS-K',
    'PSS-RESTRICTED',
    'PSS-BASE',
    'CIS-K8S-1.10:5.2.20',
    'CIS-K8S-1.10:5.2.',
    'NIST-800-5',
    'NIST-800-53:AC-14',
    '__proto__',
  ])('%s does not find a rule that maps to something else', (query) => {
    expect(frameworkMatches(privileged, query)).toBe(false);
  });

  it('is resolved when some rule maps to it', () => {
    expect(resolveFramework('cve', [privileged, anonymous])).toEqual({ framework: 'cve', name: 'cve', version: null, item: null });
  });

  it('is refused with the nearest framework and all known ones', () => {
    expect(refusal('CIS-K8').code).toBe('framework-unknown');
    expect(refusal('CIS-K8').hint).toBe(
      'Did you mean CIS-K8S? Known frameworks: CIS-K8S-1.10, CIS-K8S-1.12, CVE, MITRE-ATTACK, NIST-800-53, NSA-K8S, PSS.',
    );
    expect(refusal('').hint).toContain('Known frameworks: CIS-K8S-1.10');
  });

  it('is refused with the nearest item where only the item is unknown', () => {
    expect(refusal('NIST-800-53:AC-41').hint).toBe(
      'Did you mean NIST-800-53:AC-14? `bylaw compliance --framework NIST-800-53` lists its items.',
    );
  });
});
