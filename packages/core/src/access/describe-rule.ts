import { printable } from '../printable.js';
import type { PolicyRule } from './policy-rule.js';

/** A rule in words, for messages: `get, list secrets`, `every verb on every resource of every group`. Bounded in length. */
export function describeRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const verbsText = verbs.includes('*') ? 'every verb on' : listed(verbs);
  const parts = [
    ...(resources.length > 0 ? [`${resources.includes('*') ? 'every resource' : listed(resources)}${groupsText(apiGroups)}`] : []),
    ...(nonResourceURLs.length > 0 ? [nonResourceURLs.includes('*') ? 'every URL' : listed(nonResourceURLs)] : []),
  ];
  const names = resourceNames.length > 0 ? ` named ${listed(resourceNames)}` : '';
  return parts.length === 0 || verbs.length === 0 ? 'nothing' : `${verbsText} ${parts.join(' and ')}${names}`;
}

/** Nothing for the core group alone. */
function groupsText(groups: readonly string[]): string {
  if (groups.includes('*')) return ' of every group';
  if (groups.every((group) => group === '')) return '';
  return ` of ${listed(groups.map((group) => (group === '' ? 'core' : group)))}`;
}

const MAX_ITEMS = 8;
const MAX_LENGTH = 63;

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MAX_ITEMS).map((item) => printable(item.length > MAX_LENGTH ? `${item.slice(0, MAX_LENGTH)}…` : item));
  return items.length > MAX_ITEMS ? `${shown.join(', ')} and ${items.length - MAX_ITEMS} more` : shown.join(', ');
}
