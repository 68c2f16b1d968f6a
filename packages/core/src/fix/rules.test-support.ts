import { fixedClock } from '../clock.js';
import { type ConfiguredException, planOf } from '../evaluate/index.js';
import { type Catalogue, catalogueOf, packInMemory, type RuleDetail, type RuleEdit, type RuleLogic } from '../rule/index.js';
import type { Fixer } from './fix-resource.js';
import { newFixer } from './fixer.js';

/** A rule about Pods, with an edit. */
export function newRule(
  id: string,
  expression: string,
  edit: RuleEdit | undefined,
  more: Partial<RuleDetail & RuleLogic> = {},
): RuleDetail {
  const { each, path = '', targets = ['PodSpec'], ...detail } = more;
  const logic = { targets, expression, path, ...(each !== undefined && { each }), ...(edit && { edit }) };
  return {
    ...{ id, category: 'ORG', severity: 'HIGH', title: `Title of ${id}`, description: '', fix: 'Mend it.', targets, logic: [logic] },
    ...{ frameworks: [], references: [], peers: [], examples: [] },
    ...detail,
  };
}

/** Privileged containers, host processes, capabilities: rules whose edits depend on one another as those of the catalogue do. */
export const podRules = [
  newRule('ORG-001', 'podSpec.?hostPID.orValue(false) != true', { set: { '/spec/hostPID': false } }, { path: '/spec/hostPID' }),
  newRule(
    'ORG-002',
    'container.?securityContext.?privileged.orValue(false) != true',
    { when: 'object.kind != "DaemonSet"', set: { '/securityContext/privileged': false } },
    { each: 'anyContainer', path: '/securityContext/privileged' },
  ),
  newRule(
    'ORG-003',
    '"ALL" in list(container.?securityContext.?capabilities.?drop)',
    { add: { '/securityContext/capabilities/drop': ['ALL'] } },
    { each: 'anyContainer', path: '/securityContext/capabilities/drop' },
  ),
];

export function newCatalogue(rules: readonly RuleDetail[]): Catalogue {
  return catalogueOf([packInMemory({ name: 'test', settings: {}, constants: {}, rules: [...rules] })], { packs: [], ruleDirs: [] });
}

export function fixerFor(rules: readonly RuleDetail[], exceptions: readonly ConfiguredException[] = [], unsafe = false): Fixer {
  const catalogue = newCatalogue(rules);
  const plan = planOf(catalogue, catalogue.rules, { exceptions }, fixedClock('2026-01-01'), {
    projections: {},
    complete: false,
    collectKeys: false,
  });
  return newFixer(catalogue, catalogue.rules, plan, unsafe);
}
