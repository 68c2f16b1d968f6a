import type { Resource } from '../../resource/index.js';
import type { Catalogue } from '../../rule/index.js';
import type { Finding } from '../findings/finding.js';
import { type JudgePlan, judgeOf } from './judge-plan.js';
import type { EditLog, ProposedEdit } from './proposed-edit.js';

/** The findings on one resource, and how to fix them. */
export interface EditedJudgement {
  findings: readonly Finding[];
  /** For those findings whose rule declares an edit. */
  edits: ReadonlyMap<Finding, ProposedEdit>;
}

/** Evaluates one resource at a time, as a run does, and returns the edits for its findings. */
export type EditJudge = (resource: Resource) => EditedJudgement;

export function editJudge(plan: JudgePlan, catalogue: Catalogue): EditJudge {
  const edits: EditLog = new Map();
  const { judge } = judgeOf(plan, catalogue, edits);
  return (resource) => {
    edits.clear();
    const findings = judge.judge([resource]).flatMap((judged) => judged.findings);
    return { findings, edits: new Map(edits) };
  };
}
