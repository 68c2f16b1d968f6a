import { apiVersionsOf, groupOf, POD_KINDS, shapeOfKind, versionOf } from '@bylaw/core/resource';
import { parseTarget } from '@bylaw/core/rule';
import { pluralOfKind } from '../../../cluster/plural-of-kind.js';
import { NotExportable } from '../term/not-exportable.js';
import { type ObjectType, union } from '../term/type.js';
import { fieldsOfCustomResource } from './custom-shapes.js';

/** A kind, or all kinds of a group, that a policy looks at. */
export interface PolicyTarget {
  /** Empty for the core group, `*` for all. */
  group: string;
  /** `*` for all versions. */
  versions: readonly string[];
  /** `*` for all resources of the group: which kinds are meant, a match condition says. */
  resources: readonly string[];
  /** Undefined for all kinds of the group. */
  kind: string | undefined;
  /** Holds a Pod, or is one. */
  pod: boolean;
  type: ObjectType;
}

/**
 * What a target of a rule is in the API.
 * @throws {NotExportable} for what is not an object of a cluster, or is evaluated with others.
 */
export function policyTargets(written: string): PolicyTarget[] {
  const { target, set } = parseTarget(written);
  if (set) throw new NotExportable('set');
  switch (target.type) {
    case 'pod':
      return [...POD_KINDS.map(builtinTarget), DEPLOYMENT_CONFIG];
    case 'builtin':
      return [builtinTarget(target.kind)];
    case 'custom':
      return [customTarget(target.group, target.kind)];
    case 'group':
      return [customTarget(target.group, undefined)];
    case 'any':
      return [{ group: '*', versions: ['*'], resources: ['*'], kind: undefined, pod: false, type: openType() }];
  }
}

/** What rules say of objects of these kinds alike. */
export function typeOfTargets(targets: readonly PolicyTarget[]): ObjectType {
  return withoutOwners(union(targets.map(({ type }) => type)));
}

/** Anybody may write an owner on what he makes, and what the controllers of workloads make is not looked at: nothing is believed. */
export function withoutOwners(type: ObjectType): ObjectType {
  const metadata = type.fields.get('metadata');
  if (metadata?.type !== 'object') return type;
  const fields = new Map([...metadata.fields].filter(([field]) => field !== 'ownerReferences'));
  return { ...type, fields: new Map([...type.fields, ['metadata', { ...metadata, fields }]]) };
}

function builtinTarget(kind: string): PolicyTarget {
  const versions = apiVersionsOf(kind);
  const best = versions.at(-1);
  if (best === undefined) throw new NotExportable('target', kind);
  const group = groupOf(best);
  const stable = versions.filter((version) => groupOf(version) === group && /^v\d+$/.test(versionOf(version)));
  return {
    group,
    versions: (stable.length > 0 ? stable : [best]).map(versionOf),
    resources: [pluralOfKind(kind)],
    kind,
    pod: POD_KINDS.includes(kind),
    type: shapeOfKind(best, kind),
  };
}

/** OpenShift's Deployment of old: its Pod template stands where that of a Deployment does. */
const DEPLOYMENT_CONFIG: PolicyTarget = {
  group: 'apps.openshift.io',
  versions: ['v1'],
  resources: ['deploymentconfigs'],
  kind: 'DeploymentConfig',
  pod: true,
  type: shapeOfKind('apps/v1', 'Deployment'),
};

function customTarget(group: string, kind: string | undefined): PolicyTarget {
  if (FILE_GROUPS.test(group)) throw new NotExportable('file', kind === undefined ? group : `${group}/${kind}`);
  return { group, versions: ['*'], resources: ['*'], kind, pod: false, type: openType(fieldsOfCustomResource(`${group}/${kind}`)) };
}

/** Configuration files of programs have kinds as well; no API server serves them. */
const FILE_GROUPS =
  /(?:^|\.)config\.k8s\.io$|^(?:kubeadm|audit|client\.authentication)\.k8s\.io$|^config\.kubernetes\.io$|^(?:k3s|rke2|talos|eksctl\.io|kops\.k8s\.io)$/;

function openType(more: ObjectType['fields'] = new Map()): ObjectType {
  const { fields } = shapeOfKind('example.com/v1', 'Custom');
  const text = { type: 'string' } as const;
  return { type: 'object', fields: new Map([...fields, ['apiVersion', text], ['kind', text], ...more]), open: true };
}
