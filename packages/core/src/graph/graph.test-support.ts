import type { EvaluationEvent, Finding } from '../evaluate/index.js';
import { textInput } from '../resource/index.js';
import type { Severity } from '../rule/index.js';
import type { Graph } from './model.js';
import type { GraphOptions } from './read/graph-resources.js';
import { addInputs } from './read-inputs.js';
import { RunGraph } from './run-graph.js';

export type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

/** The end of a run that found nothing. */
export function endWith(more: Partial<RunEnd> = {}, summary: Partial<RunEnd['summary']> = {}): RunEnd {
  return {
    type: 'end',
    errors: [],
    notes: [],
    score: { overall: null, by_category: {}, grade: null, score_without_waivers: null, coverage: 1, low: null, high: null },
    summary: {
      resources: 0,
      unchecked: [],
      rules: 1,
      findings: 0,
      suppressed: 0,
      errors: 0,
      by_severity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 },
      by_category: {},
      ...summary,
    },
    ...more,
  };
}

/** A finding on an object: `Deployment shop/web`, or `Deployment web` for one that sets no namespace. */
export function findingOn(object: string, path: string, more: Partial<Finding> & { api_version?: string } = {}): Finding {
  const [kind = '', name = ''] = object.split(' ');
  const [namespace, own] = name.includes('/') ? name.split('/') : [null, name];
  const { api_version = 'v1', ...rest } = more;
  const severity: Severity = rest.severity ?? 'HIGH';
  return {
    rule_id: 'XX-001',
    category: 'XX',
    title: 'Everything is well',
    status: 'fail',
    resource: { api_version, kind, namespace: namespace ?? null, name: own ?? '' },
    location: null,
    path,
    message: 'It is not.',
    fix: 'Mend it.',
    frameworks: [],
    ...rest,
    severity,
  };
}

export interface GraphRequest extends Partial<GraphOptions> {
  findings?: readonly Finding[];
  end?: RunEnd;
}

/** The graph of manifests. */
export async function graphOf(yaml: string, request: GraphRequest = {}): Promise<Graph> {
  return graphOfFiles({ 'all.yaml': yaml }, request);
}

export async function graphOfFiles(
  files: { [name: string]: string },
  { findings = [], end = endWith(), ...options }: GraphRequest = {},
): Promise<Graph> {
  const run = new RunGraph({ namespace: 'default', complete: false, ...options });
  await addInputs(run, { inputs: Object.entries(files).map(([name, text]) => textInput(name, text)) });
  for (const finding of findings) run.take(finding);
  return run.finish(end);
}

/** The edges of a graph as lines, for comparisons: `Service/shop/web selects Deployment/shop/web (input) 80`. */
export function edgeLines({ edges }: Graph): string[] {
  return edges.map(({ from, kind, to, target, detail }) => `${from} ${kind} ${to} (${target})${detail === '' ? '' : ` ${detail}`}`);
}
