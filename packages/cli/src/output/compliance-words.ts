import type { ComplianceReport, ControlCompliance, ControlStatus, NotCheckedReason } from '@bylaw/core/compliance';
import { plural } from '@bylaw/core/report';

/** In the order in which people want to see them. */
export const STATUSES: readonly ControlStatus[] = ['fail', 'not-checked', 'pass', 'not-covered'];

export const STATUS_NAMES: { readonly [status in ControlStatus]: string } = {
  fail: 'Fail',
  pass: 'Pass',
  'not-checked': 'Not checked',
  'not-covered': 'Not covered',
};

export const REASONS: { readonly [reason in NotCheckedReason]: string } = {
  'rule-left-out': 'not all of its rules were used',
  'rule-undecided': 'one of its rules could not be evaluated',
  'nothing-applies': 'its rules apply to no resource in the input',
};

export function withStatus<S extends ControlStatus>(
  controls: readonly ControlCompliance[],
  status: S,
): Extract<ControlCompliance, { status: S }>[];
export function withStatus(controls: readonly ControlCompliance[], status: ControlStatus): ControlCompliance[] {
  return controls.filter((control) => control.status === status);
}

/** How much was evaluated, and whether that is all. */
export function extentOf({ resources, unchecked, complete }: ComplianceReport): string[] {
  const aside = unchecked === 0 ? '' : `, ${plural(unchecked, 'of a kind', 'of kinds')} that no rule covers`;
  return [
    `${plural(resources, 'resource')} evaluated${aside}.`,
    ...(complete ? [] : ['Incomplete: a part of the input could not be read or evaluated. A pass covers only the rest.']),
  ];
}
