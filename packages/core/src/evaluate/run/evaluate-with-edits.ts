import type { Resource } from '../../resource/index.js';
import type { Catalogue } from '../../rule/index.js';
import type { Finding } from '../findings/finding.js';
import type { EditLog, ProposedEdit } from './proposed-edit.js';
import { plannedRunner, type RunPlan } from './run-plan.js';

/** The findings on one resource, and how to fix them. */
export interface FindingsWithEdits {
  findings: readonly Finding[];
  /** For those findings whose rule declares an edit. */
  edits: ReadonlyMap<Finding, ProposedEdit>;
}

/** Evaluates one resource at a time, as a run does, and returns the edits for its findings. */
export type EvaluateWithEdits = (resource: Resource) => FindingsWithEdits;

export function evaluateWithEdits(plan: RunPlan, catalogue: Catalogue): EvaluateWithEdits {
  const edits: EditLog = new Map();
  const { runner } = plannedRunner(plan, catalogue, edits);
  return (resource) => {
    edits.clear();
    const findings = runner.run([resource]).flatMap((evaluated) => evaluated.findings);
    return { findings, edits: new Map(edits) };
  };
}
