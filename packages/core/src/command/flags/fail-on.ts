import { Flags } from '@oclif/core';
import { BylawError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import type { Threshold } from '../../report/verdict.js';

export type { Threshold } from '../../report/verdict.js';

export const THRESHOLDS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'NONE'] as const satisfies readonly Threshold[];

export const failOn = Flags.custom<Threshold>({
  description:
    'Exit with 1 if a finding has at least this severity: critical, high, medium, low or info. With none, findings never fail the command. [default: HIGH, or evaluate.fail_on of bylaw.yaml]',
  helpValue: 'SEVERITY',
  parse: async (input) => parseThreshold(input),
});

/** @throws {BylawError} `severity-unknown` */
export function parseThreshold(input: string): Threshold {
  const found = THRESHOLDS.find((threshold) => threshold === input.toUpperCase());
  if (found) return found;
  const near = nearest(input, THRESHOLDS);
  throw new BylawError('severity-unknown', `Unknown severity \`${input}\` for --fail-on.`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}Valid values: ${THRESHOLDS.join(', ')}.`,
  });
}
