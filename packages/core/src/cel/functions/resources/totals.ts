import { Quantity } from '../../../number/index.js';
import { spendOnMembers } from '../../budget/costs.js';
import type { CelFunction } from '../../function.js';
import { listOf, member, path, present, textOrEmpty } from '../../standard/values.js';
import { quantityOf } from './quantities.js';

/** What the containers of a Pod ask for together. Total: a part of the wrong type, or one that is not a quantity, counts as absent. */
export const totals: readonly CelFunction[] = [
  {
    signature: 'containersTotal(dyn, dyn, dyn): kubernetes.Quantity',
    summary:
      'The amount of a resource that all containers of a Pod spec need together, as the scheduler computes it: the containers and the sidecars together, or more if a plain init container needs more. The second argument is `requests` (an absent request equals the limit) or `limits`. The resources of the Pod itself do not count.',
    example:
      'containersTotal({"containers": [{"resources": {"limits": {"cpu": "1"}}}], "initContainers": [{"resources": {"requests": {"cpu": "500m"}}}]}, "requests", "cpu") == quantity("1")',
    call: (podSpec: unknown, list: unknown, resource: unknown) => totalOf(present(podSpec), textOrEmpty(list), textOrEmpty(resource)),
  },
];

/** https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers */
function totalOf(podSpec: unknown, list: string, resource: string): Quantity {
  const amountOf = (container: unknown) => amount(container, list, resource);
  const start = listOf(member(podSpec, 'initContainers'));
  const running = listOf(member(podSpec, 'containers'));
  spendOnMembers(start.length + running.length);
  let sidecars = ZERO;
  let most = ZERO;
  for (const container of start) {
    const needed = sidecars.plus(amountOf(container));
    if (member(container, 'restartPolicy') === 'Always') sidecars = needed;
    if (needed.compareTo(most) > 0n) most = needed;
  }
  const together = running.reduce((sum: Quantity, container) => sum.plus(amountOf(container)), sidecars);
  return together.compareTo(most) > 0n ? together : most;
}

function amount(container: unknown, list: string, resource: string): Quantity {
  const own = path(container, 'resources', list, resource);
  const value = own === undefined && list === 'requests' ? path(container, 'resources', 'limits', resource) : own;
  return quantityOf(value) ?? ZERO;
}

const ZERO = new Quantity(0n);
