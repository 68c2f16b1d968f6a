import type { CelFunction } from '../../function.js';
import { entriesOf, isMap, listOf, member, present } from '../../standard/values.js';

/** Label selectors. */
export const selectors: readonly CelFunction[] = [
  {
    signature: 'selects(dyn, dyn): bool',
    summary:
      'Whether a label selector (matchLabels, matchExpressions) selects the labels. An empty selector selects everything, an absent selector nothing.',
    example:
      'selects({"matchLabels": {"a": "1"}}, {"a": "1", "b": "2"}) && selects({}, {}) && !selects({}.?selector, {"a": "1"}) && selects({"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["2"]}]}, {})',
    call: (selector: unknown, labels: unknown) => selects(present(selector), new Map(entriesOf(present(labels)))),
  },
];

/** The labels of a selector that must all be there as they are; empty for a selector that asks only for more than that. */
export function requiredLabels(selector: unknown): [key: string, value: unknown][] {
  return entriesOf(member(selector, 'matchLabels'));
}

/** Kubernetes' LabelSelector semantics; what the API would refuse (an unknown operator) selects nothing. */
export function selects(selector: unknown, labels: ReadonlyMap<string, unknown>): boolean {
  if (!isMap(selector)) return false;
  const equal = entriesOf(member(selector, 'matchLabels')).every(([key, value]) => labels.get(key) === value);
  return equal && listOf(member(selector, 'matchExpressions')).every((requirement) => meets(requirement, labels));
}

function meets(requirement: unknown, labels: ReadonlyMap<string, unknown>): boolean {
  const key = member(requirement, 'key');
  if (typeof key !== 'string') return false;
  const values = listOf(member(requirement, 'values'));
  switch (member(requirement, 'operator')) {
    case 'In':
      return labels.has(key) && values.includes(labels.get(key));
    case 'NotIn':
      return !labels.has(key) || !values.includes(labels.get(key));
    case 'Exists':
      return labels.has(key);
    case 'DoesNotExist':
      return !labels.has(key);
    default:
      return false;
  }
}
