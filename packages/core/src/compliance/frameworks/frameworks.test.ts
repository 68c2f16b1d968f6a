import { describe, expect, it } from 'vitest';
import { controlListOf } from './index.js';

/** The number of controls of each list, as the source named beside the list gives it. */
const SIZES: readonly (readonly [string, number])[] = [
  ['CIS-K8S-1.10', 130],
  ['ISO-27001', 93],
  ['NIST-800-190', 24],
  ['NIST-800-53', 1014],
  ['OWASP-K8S', 10],
  ['OWASP-LLM-2025', 10],
  ['PCI-DSS-4.0', 205],
  ['PSS', 19],
  ['SLSA-1.0', 3],
  ['SOC2', 61],
];

const idsOf = (framework: string) => controlListOf(framework).controls.map(({ id }) => id);

describe('the controls of a framework', () => {
  it.each(SIZES)('%s are %i, each once', (framework, size) => {
    const ids = idsOf(framework);
    expect(controlListOf(framework).complete).toBe(true);
    expect(ids).toHaveLength(size);
    expect(new Set(ids).size).toBe(size);
  });

  it.each(['MITRE-ATTACK', 'NSA-K8S', 'K8S-DOCS', 'ACME'])('%s are not known', (framework) => {
    expect(controlListOf(framework).complete).toBe(false);
  });

  it('have titles without stray spaces, and none of them is empty', () => {
    const titles = [...SIZES.map(([framework]) => framework), 'MITRE-ATTACK'].flatMap((framework) =>
      controlListOf(framework).controls.flatMap(({ title }) => title ?? []),
    );
    expect(titles.length).toBeGreaterThan(600);
    for (const title of titles) expect(title).toMatch(/^\S(.*\S)?$/);
  });

  it('of CIS stand in its sections', () => {
    const sections = Map.groupBy(idsOf('CIS-K8S-1.10'), (id) =>
      id
        .split('.')
        .slice(0, id.startsWith('2.') ? 1 : 2)
        .join('.'),
    );
    expect([...sections].map(([section, { length }]) => `${section}: ${length}`)).toEqual([
      ...['1.1: 21', '1.2: 29', '1.3: 7', '1.4: 2', '2: 7', '3.1: 3', '3.2: 2', '4.1: 10', '4.2: 13', '4.3: 1'],
      ...['5.1: 13', '5.2: 13', '5.3: 2', '5.4: 2', '5.5: 1', '5.7: 4'],
    ]);
  });

  it('of ISO 27001 stand in its four themes', () => {
    const themes = Map.groupBy(idsOf('ISO-27001'), (id) => id.split('.')[1]);
    expect([...themes].map(([theme, { length }]) => [theme, length])).toEqual([
      ['5', 37],
      ['6', 8],
      ['7', 14],
      ['8', 34],
    ]);
  });

  it('of SOC 2 are the common criteria, and those of four more categories', () => {
    const categories = Map.groupBy(idsOf('SOC2'), (id) => id.replace(/[\d.]+$/, ''));
    expect(Object.fromEntries([...categories].map(([category, { length }]) => [category, length]))).toEqual({
      CC: 33,
      A: 3,
      C: 2,
      PI: 5,
      P: 18,
    });
  });

  it('of PCI DSS are of the third level, twelve requirements in all', () => {
    expect(idsOf('PCI-DSS-4.0').every((id) => /^\d+\.\d+\.\d+$/.test(id))).toBe(true);
    expect(new Set(idsOf('PCI-DSS-4.0').map((id) => id.split('.')[0])).size).toBe(12);
  });

  it('of NIST SP 800-53 are 300 controls of 20 families and 714 enhancements', () => {
    const ids = idsOf('NIST-800-53');
    const controls = ids.filter((id) => !id.includes('('));
    expect([controls.length, ids.length - controls.length]).toEqual([300, 714]);
    const families = Map.groupBy(controls, (id) => id.slice(0, 2));
    expect(Object.fromEntries([...families].map(([family, { length }]) => [family, length]))).toEqual({
      ...{ AC: 23, AT: 5, AU: 15, CA: 8, CM: 14, CP: 12, IA: 13, IR: 9, MA: 7, MP: 8 },
      ...{ PE: 22, PL: 8, PM: 32, PS: 9, PT: 8, RA: 9, SA: 17, SC: 47, SI: 22, SR: 12 },
    });
    const known = new Set(ids);
    expect(ids.filter((id) => id.includes('(') && !known.has(id.slice(0, id.indexOf('('))))).toEqual([]);
    for (const id of ['IA-13(3)', 'SA-24', 'SA-15(13)', 'SI-2(7)', 'PM-30(1)']) expect(known.has(id)).toBe(true);
    for (const withdrawn of ['SI-7(13)', 'AC-2(10)', 'SC-7(1)', 'AC-13']) expect(known.has(withdrawn)).toBe(false);
    expect(controlListOf('NIST-800-53').controls.filter(({ title }) => title !== undefined)).toHaveLength(61);
  });

  it('of the Pod Security Standards are twelve of Baseline and seven of Restricted', () => {
    expect(
      Object.fromEntries([...Map.groupBy(idsOf('PSS'), (id) => id.split(':')[0])].map(([level, { length }]) => [level, length])),
    ).toEqual({
      BASELINE: 12,
      RESTRICTED: 7,
    });
  });
});
