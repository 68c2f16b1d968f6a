import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ComparisonMember, Services } from '@bylaw/core/plugin';
import { compilePack } from '@bylaw/core/rule/compiler';
import { servicesIn } from '@bylaw/core/testing/services';

/** The services of an installation with a small rule pack, on a fixed day. */
export interface TestServices {
  services: Services;
  /** What was logged, one JSON text per line. */
  lines: string[];
  folder: string;
  remove(): Promise<void>;
}

/**
 * @param yaml text of bylaw.yaml
 * @param more rules beside the usual ones, by identifier
 */
export async function testServices(yaml = '', more: { readonly [id: string]: string } = {}): Promise<TestServices> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-services-'));
  await writeFile(join(folder, 'bylaw.yaml'), yaml);
  await mkdir(join(folder, 'rules'));
  for (const [name, text] of Object.entries({ ...RULES, ...more })) await writeFile(join(folder, 'rules', `${name}.yaml`), text);
  const pack = join(folder, 'pack.jsonl');
  await writeFile(pack, await compilePack(join(folder, 'rules')));
  const { services, lines } = await servicesIn(folder, { rules: { packs: [pathToFileURL(pack)] } });
  return { services, lines, folder, remove: () => rm(folder, { recursive: true }) };
}

/** A Pod with one privileged container, as YAML. */
export const PRIVILEGED_POD = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
    - name: app
      image: example.com/app:1.2.3
      securityContext: {privileged: true}
`;

const RULES = {
  'CS-001': `id: CS-001
severity: CRITICAL
title: Containers do not run privileged
description: A privileged container owns its node.
targets: [PodSpec]
each: anyContainer
expression: container.?securityContext.?privileged.orValue(false) != true
path: /securityContext/privileged
fix: Set privileged to false.
frameworks: ['CIS-K8S-1.10:5.2.2']
examples:
  - fail: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, securityContext: {privileged: true}}]}}
  - pass: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}
`,
  'SP-001': `id: SP-001
severity: LOW
title: Pods have a team label
description: Somebody must answer for a secret.
targets: [Pod]
expression: has(object.metadata.labels) && 'team' in object.metadata.labels
path: /metadata/labels
fix: Add the label.
examples:
  - fail: {apiVersion: v1, kind: Pod, metadata: {name: a}}
  - pass: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {team: b}}}
`,
};

/** A member of comparisons, which this module computes. It is never shown. */
export function endlessMember(module: URL): ComparisonMember {
  const nothing = { summary: [], items: [], unknown: [], unknownTotal: 0, warnings: [], sources: [] };
  return { member: 'cost', module, view: async () => ({ description: 'Cost.', schema: {}, column: 'Cost', words: () => nothing }) };
}
