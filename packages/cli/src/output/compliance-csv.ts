import type { ComplianceMap, ComplianceReport } from '@bylaw/core/compliance';
import { csvText } from '@bylaw/core/csv';

/** A row per control: `covered` with the rules that support it, or `not-covered`. */
export function complianceCsv({ frameworks }: ComplianceMap): string {
  const rows = frameworks.flatMap(({ id, version, controls, uncovered }) => [
    ...controls.map((control) => [id, version ?? '', control.id, control.title ?? '', 'covered', control.rules.join(' ')]),
    ...uncovered.map((control) => [id, version ?? '', control.id, control.title ?? '', 'not-covered', '']),
  ]);
  return csvText([['framework', 'version', 'control', 'title', 'status', 'rules'], ...rows]);
}

/** A row per control, with its status. */
export function complianceReportCsv({ frameworks }: ComplianceReport): string {
  const rows = frameworks.flatMap(({ id, version, controls }) =>
    controls.map((control) => {
      const {
        rules = [],
        applied_rules: applied = [],
        failing_rules: failing = [],
        findings = 0,
        waived = 0,
        reason = '',
      } = control.status === 'not-covered' ? {} : control;
      const about = [id, version ?? '', control.id, control.title ?? '', control.status];
      return [...about, rules.join(' '), applied.join(' '), failing.join(' '), findings, waived, reason];
    }),
  );
  const about = ['framework', 'version', 'control', 'title', 'status'];
  return csvText([[...about, 'rules', 'applied_rules', 'failing_rules', 'findings', 'waived', 'reason'], ...rows]);
}
