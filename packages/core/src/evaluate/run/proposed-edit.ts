import type { RuleEdit } from '../../rule/index.js';
import type { Finding } from '../findings/finding.js';
import type { Entry } from './rule-index.js';
import { holds, type Scope } from './scope.js';

/** The edit that a rule offers for one of its findings. */
export interface ProposedEdit {
  edit: RuleEdit;
  /** Where its pointers start. Undefined if the rule evaluated something that is not part of the object. */
  base: string | undefined;
  /** Whether the rule calls the edit safe here. */
  safe: boolean;
}

/** The edits that were noted for findings. */
export type EditLog = Map<Finding, ProposedEdit>;

/** Notes the edit for a finding, while the scope is still that of its evaluation. */
export function noteEdit(log: EditLog, finding: Finding, { logic }: Entry, scope: Scope, base: string | undefined): void {
  const { edit } = logic.source;
  if (edit) log.set(finding, { edit, base, safe: holds(logic.editWhen, scope) });
}
