import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type Finding } from '@bylaw/core/evaluate';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { describe, expect, it } from 'vitest';

// Threads load their catalogue from files, so this needs a pack that was compiled to one.
const catalogue = await loadCatalogue({ packs: [new URL('../dist/pack.jsonl', import.meta.url)] });
const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: everything }
rules:
  - apiGroups: ["*"]
    resources: ["*"]
    verbs: ["*"]
`;
const BINDING = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: everything }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: everything }
subjects:
  - { kind: ServiceAccount, namespace: shop, name: default }
`;
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: shop }
spec: { containers: [{ name: app, image: nginx }] }
`;

async function findings(threads: number, ...texts: string[]): Promise<string[]> {
  const found: Finding[] = [];
  const inputs = texts.map((text, index) => textInput(`${index}.yaml`, text));
  for await (const event of engine.evaluate({ inputs, filter: { categories: ['AC'] }, threads }))
    if (event.type === 'findings') found.push(...event.batch.findings());
  return found.map(({ rule_id, severity, location, message }) => `${rule_id} ${severity} ${location?.file}:${location?.line} ${message}`);
}

const GRANT = 'every verb on every resource of every group (0.yaml:5)';

describe('a ClusterRole of everything, bound to a default ServiceAccount', () => {
  it('is reported on the role and on the binding, which says who gets what, in one file', async () => {
    expect(await findings(0, `${ROLE}---\n${BINDING}`)).toEqual([
      'AC-001 CRITICAL 0.yaml:5 ClusterRole everything allows every verb on every resource',
      `AC-012 MEDIUM 0.yaml:14 ServiceAccount shop/default gets ClusterRole everything, which allows ${GRANT}`,
    ]);
  });

  it.each([0, 2])('is reported on the Pods that run as it, wherever the role is, with %i threads', async (threads) => {
    const found = await findings(threads, ROLE, BINDING, POD);
    expect(found).toContain(`AC-012 MEDIUM 1.yaml:6 ServiceAccount shop/default gets ClusterRole everything, which allows ${GRANT}`);
    expect(found).toContain(
      `AC-043 HIGH 2.yaml:4 holds what ClusterRoleBinding everything (1.yaml:1) to ClusterRole everything grants: ${GRANT}`,
    );
  });
});
