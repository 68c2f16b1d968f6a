import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const engine = createEngine({ catalogue, clock: fixedClock('2026-11-22') });

/** What API servers take is 1.5 MB, and a ConfigMap 1 MiB. */
const MEGABYTE = 1024 * 1024;

const SCRIPT = `#!/bin/sh
set -e
curl -sSL https://example.com/install.sh -o /tmp/install && wget -q http://example.com/tool
apt-get update && apt-get install -y tool && pip install tool && npm install
export DB_PASSWORD=$(cat /run/secrets/db)
kubectl apply -f https://example.com/main/all.yaml
sysctl -w net.core.somaxconn=1024
connect --password $PASSWORD https://user@example.com/path | grep -v ok
`;
const SECRETS = `${SCRIPT}AKIAABCDEFGHIJKLMNOP
glpat-abcdefghij0123456789
eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnop
spring.datasource.password=hunter2hunter2
redis://:hunter2@cache
`;
const SETTINGS = `kind: Config
users:
  - name: a
    user: { token: abcdefghijklmn }
password: hunter2
more: [1, 2, { 3: x }]
`;

const object = (kind: string, members: object, apiVersion = 'v1') => ({ apiVersion, kind, metadata: { name: 'large' }, ...members });
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const filled = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

function pod(containers: number, volumes: number, script: string) {
  return object('Pod', {
    spec: {
      volumes: times(volumes, (index) => ({ name: `v${index}`, hostPath: { path: `/var/lib/x${index}` } })),
      containers: times(containers, (index) => ({
        name: `c${index}`,
        image: `example.com/c:${index}`,
        command: ['sh', '-c', script],
        env: times(10, (n) => ({ name: `API_PASSWORD_${n}`, value: `value${n}` })),
        volumeMounts: times(5, (n) => ({ name: `v${(index * 5 + n) % Math.max(volumes, 1)}`, mountPath: `/data/${n}` })),
        resources: { limits: { cpu: '1', memory: '1Gi' } },
        livenessProbe: { exec: { command: ['cat', '/healthy'] } },
      })),
    },
  });
}

/** The largest of each kind that rules have most to do with. */
const LARGEST: [string, object][] = [
  ['a script in a ConfigMap', object('ConfigMap', { data: { 'run.sh': filled(SCRIPT, MEGABYTE) } })],
  ['a text full of secrets in a ConfigMap', object('ConfigMap', { data: { text: filled(SECRETS, MEGABYTE) } })],
  ['settings in a ConfigMap', object('ConfigMap', { data: { 'a.yaml': filled(SETTINGS, MEGABYTE) } })],
  ['a line without an end in a ConfigMap', object('ConfigMap', { data: { text: filled('password', MEGABYTE) } })],
  [
    'a ConfigMap of 40,000 keys',
    object('ConfigMap', { data: Object.fromEntries(times(40_000, (index) => [`key.password${index}`, `v${index}`])) }),
  ],
  ['a Secret', object('Secret', { stringData: { text: filled(SECRETS, MEGABYTE) } })],
  ['a Pod with the longest script that Linux takes', pod(1, 1, filled(SCRIPT, 128 * 1024))],
  ['a Pod of 1,000 containers', pod(1000, 500, 'exec serve --port 80 # as everywhere')],
  ['a Pod of 100 containers with scripts', pod(100, 100, SCRIPT)],
  ['a Pod of 5,000 volumes', pod(50, 5000, 'exec serve')],
  [
    'an Application with values',
    object(
      'Application',
      {
        spec: {
          source: {
            repoURL: 'https://example.com/a',
            helm: { values: filled(SETTINGS, MEGABYTE), parameters: times(5000, (index) => ({ name: `a.password${index}`, value: 'x' })) },
          },
        },
      },
      'argoproj.io/v1alpha1',
    ),
  ],
  [
    'a Workflow of 1,000 templates',
    object(
      'Workflow',
      { spec: { templates: times(1000, (index) => ({ name: `t${index}`, container: { name: 'main', command: ['sh', '-c', SCRIPT] } })) } },
      'argoproj.io/v1alpha1',
    ),
  ],
];

describe('the largest objects that API servers take', () => {
  it.each(LARGEST)('leave steps to every rule: %s', async (_what, value) => {
    let findings = 0;
    for await (const event of engine.evaluate({ inputs: [{ file: 'large.yaml', values: [value] }], includePassed: true, threads: 0 })) {
      if (event.type === 'end') {
        expect(event.errors).toEqual([]);
        expect(event.summary.resources).toBe(1);
        continue;
      }
      const broken = event.batch.findings().filter(({ status }) => status === 'error');
      expect(broken.map(({ rule_id, message }) => `${rule_id}: ${message}`)).toEqual([]);
      findings += event.batch.count;
    }
    expect(findings).toBeGreaterThan(0);
  });
});
