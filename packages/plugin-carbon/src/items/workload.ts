import { isObject, type JsonObject, type JsonValue } from '@bylaw/core/resource';
import type { Spread } from './carbon-item.js';
import { runsPerHour } from './cron.js';
import { exactly, type ItemContext } from './item-context.js';

/** How many pods a workload runs in the period, and for how long each; a text where that cannot be told. */
export type Running = { count: Spread; hours: Spread; note?: string } | string;

/** The range of replicas that an autoscaler moves a workload in. */
export interface Scale {
  low: number;
  high: number;
}

/** @param nodes how many nodes the pods of a DaemonSet run on, where that is known */
export function runningOf(
  kind: string,
  object: JsonObject,
  context: ItemContext,
  scale: Scale | undefined,
  nodes: number | undefined,
): Running {
  const spec = isObject(object.spec) ? object.spec : {};
  const whole = exactly(context.periodHours);
  switch (kind) {
    case 'Pod':
      return { count: exactly(1), hours: whole };
    case 'PodTemplate':
      return 'A PodTemplate runs nothing by itself.';
    case 'DaemonSet':
      return nodes === undefined ? 'A DaemonSet runs a pod on every node: say which in `nodes`.' : { count: exactly(nodes), hours: whole };
    case 'Job':
      return spec.suspend === true ? 'The Job is suspended.' : jobRunning(spec, context, 1);
    case 'CronJob':
      return cronRunning(spec, context);
    default: {
      if (scale !== undefined) return { count: { ...scale, central: (scale.low + scale.high) / 2 }, hours: whole };
      const replicas = wholeNumber(spec.replicas) ?? 1;
      return replicas === 0 ? 'It is scaled to no replica.' : { count: exactly(replicas), hours: whole };
    }
  }
}

function cronRunning(spec: JsonObject, context: ItemContext): Running {
  if (spec.suspend === true) return 'The CronJob is suspended.';
  const rate = typeof spec.schedule === 'string' ? runsPerHour(spec.schedule) : undefined;
  if (rate === undefined) return 'The schedule of the CronJob cannot be read.';
  const template = isObject(spec.jobTemplate) && isObject(spec.jobTemplate.spec) ? spec.jobTemplate.spec : {};
  const alone = spec.concurrencyPolicy === 'Forbid' || spec.concurrencyPolicy === 'Replace';
  return jobRunning(template, context, rate * context.periodHours, alone && rate > 0 ? 1 / rate : undefined);
}

/** @param longest hours after which the next run ends or replaces this one */
function jobRunning(spec: JsonObject, { jobMinutes }: ItemContext, runs: number, longest = Number.POSITIVE_INFINITY): Running {
  if (runs === 0) return 'The schedule never fires.';
  const pods = wholeNumber(spec.completions) ?? wholeNumber(spec.parallelism) ?? 1;
  if (pods === 0) return 'The Job runs no pod.';
  const deadline = wholeNumber(spec.activeDeadlineSeconds);
  const most = Math.min(longest, deadline === undefined ? Number.POSITIVE_INFINITY : deadline / 3600);
  const hours = (minutes: number) => Math.min(minutes / 60, most);
  return {
    count: exactly(pods * runs),
    hours: { low: hours(jobMinutes.low), central: hours(jobMinutes.central), high: hours(jobMinutes.high) },
    ...(jobMinutes.low < jobMinutes.high && {
      note: `How long its pods run is not in the manifest: ${jobMinutes.central} minutes are assumed.`,
    }),
  };
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

function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000_000 ? value : undefined;
}
