import { fileURLToPath } from 'node:url';
import { fixedClock } from '@bylaw/core/clock';
import { loadConfig } from '@bylaw/core/config';
import { createEngine, type EvaluationEvent } from '@bylaw/core/evaluate';
import { uncheckedText } from '@bylaw/core/report';
import { discoverInputs, type Rendering } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import k8s from '@bylaw/plugin-k8s';
import { describe, expect, it } from 'vitest';
import { onPath } from './on-path.js';

const corpus = fileURLToPath(new URL('corpus', import.meta.url));
const catalogue = await loadCatalogue({ packs: RULE_PACKS });

describe('what bylaw finds in public projects', () => {
  it.each(['argo-cd', 'ingress-nginx', 'kube-prometheus', 'kubernetes-examples', 'microservices-demo'])('%s', async (project) => {
    await expect(await summaryOf(project)).toMatchFileSnapshot(`corpus/${project}.summary.txt`);
  });

  it.skipIf(!onPath('helm') || !onPath('kustomize'))('microservices-demo, as its chart and its kustomizations render', async () => {
    const summary = await summaryOf('microservices-demo', await rendering());
    await expect(summary).toMatchFileSnapshot('corpus/microservices-demo.rendered.summary.txt');
  });
});

/** As a command renders what it meets, without any flag. */
async function rendering(): Promise<Rendering> {
  const { config, base } = await loadConfig({ cwd: corpus, env: {}, plugins: [{ plugin: 'k8s', sections: k8s.config ?? {} }] });
  const renderers = (await k8s.renderers?.({ config, base, env: process.env })) ?? [];
  return { renderers, options: { network: false, namespace: 'default' } };
}

/** Score, counts per rule with the first place of each, and errors: what a reviewer wants to see change. */
async function summaryOf(project: string, rendering?: Rendering): Promise<string> {
  const { inputs, errors } = await discoverInputs([project], { cwd: corpus, ...(rendering && { rendering }) });
  const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
  const rules = new Map<string, { line: string; count: number; first: string }>();
  let end: Extract<EvaluationEvent, { type: 'end' }> | undefined;
  for await (const event of engine.evaluate({ inputs, inputErrors: errors, threads: 0 }))
    if (event.type === 'end') end = event;
    else
      for (const { rule_id, severity, title, location, message } of event.batch.findings()) {
        const known = rules.get(rule_id);
        if (known) known.count += 1;
        else
          rules.set(rule_id, {
            line: `${rule_id} ${severity.padEnd(8)} ${title}`,
            count: 1,
            first: `${location?.file}:${location?.line} ${message}`,
          });
      }
  const found = [...rules.values()].sort((a, b) => (a.line < b.line ? -1 : 1));
  const { overall, by_category, grade } = end?.score ?? {};
  return [
    `${end?.summary.resources} resources, ${end?.summary.findings} findings, score ${overall} (${grade}), by category ${JSON.stringify(by_category)}`,
    ...(end ? [uncheckedText(end.summary, 1000)].filter(Boolean) : []),
    '',
    ...found.flatMap(({ line, count, first }) => [`${String(count).padStart(5)}  ${line}`, `       first: ${first}`]),
    '',
    ...(end?.errors ?? []).map(
      ({ code, message, location }) => `${code} ${location?.file}:${location?.line}:${location?.column} ${message}`,
    ),
    '',
  ].join('\n');
}
