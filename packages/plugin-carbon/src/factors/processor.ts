/**
 * The architecture in the list of Cloud Carbon Footprint for a processor as a provider names it; null where it names none that is in the list.
 * Processor → architecture: as we know the processors; no page of Intel or AMD was read for it. Where a later architecture has no figures, the one
 * before it is used (`STAND_INS`), and the range of the estimate says so.
 */
export function architectureOf(provider: 'aws' | 'azure' | 'gcp', processor: string): string | null {
  if (processor === '' || processor === 'Unknown') return null;
  const found = PATTERNS.find(([pattern]) => pattern.test(processor));
  return found ? found[1] : provider === 'aws' ? null : processor;
}

/** What an architecture without accepted figures takes them from. Graviton is not in SPECpower; EPYC 5th Gen did not pass the gate. */
export const STAND_INS: { readonly [architecture: string]: string } = {
  'EPYC 5th Gen': 'EPYC 4th Gen',
  Graviton2: 'EPYC 2nd Gen',
  Graviton3: 'EPYC 2nd Gen',
  Graviton3E: 'EPYC 2nd Gen',
  Graviton4: 'EPYC 2nd Gen',
  Quicksilver: 'EPYC 2nd Gen',
  Axion: 'EPYC 2nd Gen',
  'Cobalt 100': 'EPYC 2nd Gen',
};

/** Those in the list of AWS, whose figures there are copies of those that they are taken from here. */
export const COPIES = ['Graviton2', 'Graviton3', 'Graviton3E', 'Graviton4'] as const;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/Graviton4/, 'Graviton4'],
  [/Graviton3E/, 'Graviton3E'],
  [/Graviton3/, 'Graviton3'],
  [/Graviton/, 'Graviton2'],
  // AWS serves m5, r5 and their variants from Skylake or Cascade Lake; the later one has more of them.
  [/8175M?|82(59|75|52|80)|Cascade Lake|8273CL|6253CL/, 'Cascade Lake'],
  [/8124M|8151|8176M|8173M|Skylake/, 'Skylake'],
  [/Ice Lake|8375C|8373C/, 'Ice Lake'],
  [/Sapphire Rapids|8481C|8490H/, 'Sapphire Rapids'],
  [/Emerald Rapids|8581C/, 'Emerald Rapids'],
  [/Granite Rapids/, 'Granite Rapids'],
  [/8700B/, 'Coffee Lake'],
  [/7571/, 'EPYC 1st Gen'],
  [/7R32|7B12/, 'EPYC 2nd Gen'],
  [/7R13|7B13/, 'EPYC 3rd Gen'],
  [/9R14|9B14/, 'EPYC 4th Gen'],
  [/9R45|9R05/, 'EPYC 5th Gen'],
  [/v4|Broadwell/i, 'Broadwell'],
  [/v3|Haswell/i, 'Haswell'],
  [/v2|Ivy Bridge/i, 'Ivy Bridge'],
  [/E5-26[567]|Sandy Bridge/, 'Sandy Bridge'],
];
