import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';

const program = createEvaluator().compile('containersTotal(pod, part, name).asApproximateFloat()', {
  variables: ['pod', 'part', 'name'],
  maxNodes: 100,
  maxNesting: 1,
});

const total = (pod: unknown, part = 'requests', name = 'cpu') => program.evaluate({ pod, part, name });
const requests = (cpu: unknown, more: object = {}) => ({ resources: { requests: { cpu } }, ...more });
const sidecar = (cpu: unknown) => requests(cpu, { restartPolicy: 'Always' });

describe('what the containers of a Pod need together', () => {
  it('is the sum of the containers and the sidecars', () => {
    expect(total({ containers: [requests('500m'), requests(1)], initContainers: [sidecar('250m')] })).toBe(1.75);
  });

  it('is what the largest init container needs with the sidecars that are started before it, if that is more', () => {
    const containers = [requests('1')];
    expect(total({ containers, initContainers: [requests('3'), sidecar('500m')] })).toBe(3);
    expect(total({ containers, initContainers: [sidecar('500m'), requests('3')] })).toBe(3.5);
    expect(total({ containers, initContainers: [sidecar('500m'), requests('200m')] })).toBe(1.5);
  });

  it('takes the limit for an absent request, and not the other way round', () => {
    const containers = [{ resources: { limits: { cpu: '2' } } }, { resources: { requests: { cpu: '1' }, limits: { cpu: '4' } } }];
    expect(total({ containers })).toBe(3);
    expect(total({ containers: [requests('1')] }, 'limits')).toBe(0);
  });

  it('counts as nothing what is not a quantity, or is missing', () => {
    expect(total({ containers: [requests('much'), requests({}), null, 'x', requests('1')], initContainers: 7 })).toBe(1);
    expect(total('x')).toBe(0);
    expect(total({ containers: [requests('1')] }, 'requests', 'memory')).toBe(0);
  });

  it('adds without rounding', () => {
    expect(total({ containers: [requests(0.1), requests('0.2')] })).toBe(0.3);
  });
});
