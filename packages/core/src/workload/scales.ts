import { isObject, type JsonObject } from '../resource/index.js';
import { wholeNumber } from './quantity.js';

/** The range of replicas that an autoscaler moves a workload in. */
export interface Scale {
  low: number;
  high: number;
}

/**
 * The ranges of all autoscalers of an input, by `namespace/Kind/name` of what they scale: HorizontalPodAutoscaler, and ScaledObject of KEDA.
 * Defaults: autoscaling/v2 minReplicas 1; keda.sh/v1alpha1 minReplicaCount 0, maxReplicaCount 100.
 */
export function scalesOf(
  resources: readonly { apiVersion: string; kind: string; namespace?: string; object: JsonObject }[],
): ReadonlyMap<string, Scale> {
  const scales = new Map<string, Scale>();
  for (const { apiVersion, kind, namespace = 'default', object } of resources) {
    const spec = isObject(object.spec) ? object.spec : {};
    const target = isObject(spec.scaleTargetRef) ? spec.scaleTargetRef : {};
    const key = `${namespace}/${typeof target.kind === 'string' ? target.kind : 'Deployment'}/${String(target.name ?? '')}`;
    if (kind === 'HorizontalPodAutoscaler' && apiVersion.startsWith('autoscaling/')) {
      addScale(scales, key, wholeNumber(spec.minReplicas) ?? 1, wholeNumber(spec.maxReplicas));
    } else if (kind === 'ScaledObject' && apiVersion.startsWith('keda.sh/')) {
      addScale(scales, key, wholeNumber(spec.minReplicaCount) ?? 0, wholeNumber(spec.maxReplicaCount) ?? 100);
    }
  }
  return scales;
}

function addScale(scales: Map<string, Scale>, key: string, low: number, high: number | undefined): void {
  if (high !== undefined && high >= low && high > 0) scales.set(key, { low, high });
}
