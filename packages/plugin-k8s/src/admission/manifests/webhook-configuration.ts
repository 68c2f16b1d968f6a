import type { Catalogue } from '@bylaw/core/rule';
import { MODES, type Mode } from '../../config/webhook-section.js';
import { WEBHOOK_PATH } from '../webhook.js';
import { ignoring, LABELS, type ManifestOptions, NAME } from './options.js';
import { webhookRules } from './webhook-rules.js';

/** The label of a namespace that chooses its mode, where that is allowed. */
export const MODE_LABEL = 'bylaw.dev/mode';

/** What tells the API server when to ask the webhook. */
export function webhookConfiguration(options: ManifestOptions, catalogue: Pick<Catalogue, 'rules'>): object {
  const { namespace, namespaceLabels, failClosed, secrets, caBundle } = options;
  const { annotations } = ignoring({
    ...(!failClosed && { 'CH-091': 'the cluster must keep working if no webhook answers' }),
    ...(secrets && { 'AC-068': 'the webhook is told to check Secrets' }),
    ...(namespaceLabels && { 'AC-066': 'users who can label a namespace are allowed to choose its mode' }),
  });
  const injected = caBundle === undefined && { 'cert-manager.io/inject-ca-from': `${namespace}/${NAME}` };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: NAME, labels: { ...LABELS }, annotations: { ...injected, ...annotations } },
    webhooks: namespaceLabels ? MODES.map((mode) => webhook(mode, options, catalogue)) : [webhook(undefined, options, catalogue)],
  };
}

/** @param mode undefined: that of the configuration, for all namespaces */
function webhook(mode: Mode | undefined, options: ManifestOptions, catalogue: Pick<Catalogue, 'rules'>): object {
  const { namespace, failClosed, secrets, caBundle } = options;
  return {
    name: `${mode ?? 'validate'}.bylaw.dev`,
    clientConfig: {
      service: { name: NAME, namespace, port: 443, path: mode === undefined ? WEBHOOK_PATH : `${WEBHOOK_PATH}/${mode}` },
      ...(caBundle !== undefined && { caBundle }),
    },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: failClosed ? 'Fail' : 'Ignore',
    timeoutSeconds: 5,
    matchPolicy: 'Equivalent',
    namespaceSelector: {
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...new Set(['kube-system', 'kube-node-lease', namespace])] },
        ...(mode === undefined ? [] : [modeExpression(mode)]),
      ],
    },
    rules: webhookRules(catalogue, { secrets }),
    matchConditions: MATCH_CONDITIONS,
  };
}

/** A namespace without the label, or with another value, is enforced. */
function modeExpression(mode: Mode): object {
  const others = MODES.filter((other) => other !== 'enforce');
  return mode === 'enforce' ? { key: MODE_LABEL, operator: 'NotIn', values: others } : { key: MODE_LABEL, operator: 'In', values: [mode] };
}

/** Requests that the webhook is not asked about. It would allow them all the same. */
export const MATCH_CONDITIONS: readonly { name: string; expression: string }[] = [
  // Kubelets write their nodes, and mirrors of static Pods, which no denial stops.
  { name: 'not-from-a-node', expression: '!("system:nodes" in request.userInfo.groups)' },
  // Controllers note their progress again and again.
  {
    name: 'not-the-bookkeeping-of-a-controller',
    expression:
      'request.operation != "UPDATE" || !request.userInfo.username.startsWith("system:serviceaccount:kube-system:") || !has(object.spec) || !has(oldObject.spec) || object.spec != oldObject.spec',
  },
];
