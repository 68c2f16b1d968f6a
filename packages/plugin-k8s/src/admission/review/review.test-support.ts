import { fixedClock } from '@bylaw/core/clock';
import { loadConfig } from '@bylaw/core/config';
import { objectEvaluator } from '@bylaw/core/evaluate';
import { type Catalogue, type CatalogueOrigin, catalogueOf, loadCatalogue, packInMemory, type RuleDetail } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { WEBHOOK_SECTION, type WebhookConfig, webhookConfigOf } from '../../config/webhook-section.js';
import type { AdmissionRequest } from './admission-review.js';
import { isAmong } from './namespaces.js';
import type { Reviewer } from './review.js';

/** The rules that are shipped. */
export const ORIGIN: CatalogueOrigin = { packs: RULE_PACKS.map(String), ruleDirs: [] };
export const SHIPPED = await loadCatalogue(ORIGIN);

const { config } = await loadConfig({ cwd: import.meta.dirname, env: {}, plugins: [{ plugin: 'k8s', sections: WEBHOOK_SECTION }] });
export const DEFAULTS: WebhookConfig = webhookConfigOf(config);

type EvaluationOptions = Omit<Parameters<typeof objectEvaluator>[1], 'annotations'>;

/** A reviewer with the shipped rules, on 21 November 2026. */
export function reviewerOf(
  settings: Partial<WebhookConfig> = {},
  evaluation: EvaluationOptions = {},
  catalogue: Catalogue = SHIPPED,
): Reviewer {
  const all = { ...DEFAULTS, ...settings };
  const annotations = (namespace: string) => isAmong(namespace, all.annotation_exceptions);
  return { evaluator: objectEvaluator(catalogue, { ...evaluation, annotations }, fixedClock('2026-11-21')), settings: all };
}

/** A catalogue of one rule of somebody's own. */
export function catalogueWith(rule: Pick<RuleDetail, 'id' | 'severity'> & RuleDetail['logic'][number]): Catalogue {
  const { id, severity, ...logic } = rule;
  const described = {
    category: 'XX',
    title: 'A title',
    description: 'd',
    fix: 'Mend it.',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
  };
  const whole: RuleDetail = { id, severity, ...described, targets: logic.targets, logic: [logic] };
  return catalogueOf([packInMemory({ name: 'own', settings: {}, constants: {}, rules: [whole] })], { packs: [], ruleDirs: [] });
}

export type TestObject = { apiVersion: string; kind: string; metadata: { [member: string]: unknown }; [member: string]: unknown };

/** A request as an API server sends it. */
export function requestOf(object: TestObject, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    uid: 'd4a5c1f0-0000-4000-8000-000000000001',
    operation: 'CREATE',
    kind: object.kind,
    subResource: '',
    namespace: 'shop',
    name: 'web',
    username: 'alice',
    dryRun: false,
    object: json(object),
    oldObject: undefined,
    ...more,
  };
}

export function updateOf(old: TestObject, object: TestObject, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return requestOf(object, { operation: 'UPDATE', oldObject: json(old), ...more });
}

/** A container that no rule denies; some warn. */
export const CONTAINER = { name: 'app', image: 'registry.example.com/app:1.2.3', resources: { limits: { memory: '128Mi' } } };
export const PRIVILEGED = { ...CONTAINER, securityContext: { privileged: true } };

export function podOf(containers: readonly object[], metadata: object = {}, spec: object = {}): TestObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', ...metadata }, spec: { containers, ...spec } };
}

export function deploymentOf(containers: readonly object[], metadata: object = {}): TestObject {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
  };
}

function json(object: TestObject): NonNullable<AdmissionRequest['object']> {
  return JSON.parse(JSON.stringify(object)) as NonNullable<AdmissionRequest['object']>; // an object still
}
