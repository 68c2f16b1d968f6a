import { plural } from '../plural.js';
import { isObject, type JsonObject } from '../resource/index.js';
import { runsPerHour } from './cron.js';
import { wholeNumber } from './quantity.js';
import type { Scale } from './scales.js';
import { exactly, type Spread } from './spread.js';

/** The period that is looked at, and how long a pod of a Job runs, in minutes. */
export interface Period {
  periodHours: number;
  jobMinutes: Spread;
}

/** How many pods a workload runs in the period, and for how long each; a text where that cannot be told. */
export type Running = { count: Spread; hours: Spread; note?: string } | string;

/** @param nodes how many nodes the pods of a DaemonSet run on, where that is known */
export function runningOf(kind: string, object: JsonObject, period: Period, scale: Scale | undefined, nodes: number | undefined): Running {
  const spec = isObject(object.spec) ? object.spec : {};
  const whole = exactly(period.periodHours);
  switch (kind) {
    case 'Pod':
      return { count: exactly(1), hours: whole };
    case 'PodTemplate':
      return 'A PodTemplate does not run pods by itself.';
    case 'DaemonSet':
      return nodes === undefined
        ? 'A DaemonSet runs a pod on every node. Set `nodes` to the nodes, or to their number.'
        : { count: exactly(nodes), hours: whole };
    case 'Job':
      return spec.suspend === true ? 'The Job is suspended.' : jobRunning(spec, period, 1);
    case 'CronJob':
      return cronRunning(spec, period);
    default: {
      if (scale !== undefined) return { count: { ...scale, central: (scale.low + scale.high) / 2 }, hours: whole };
      const replicas = wholeNumber(spec.replicas) ?? 1;
      return replicas === 0 ? 'It is scaled to zero replicas.' : { count: exactly(replicas), hours: whole };
    }
  }
}

function cronRunning(spec: JsonObject, period: Period): Running {
  if (spec.suspend === true) return 'The CronJob is suspended.';
  const rate = typeof spec.schedule === 'string' ? runsPerHour(spec.schedule) : undefined;
  if (rate === undefined) return 'The CronJob has an invalid schedule.';
  const template = isObject(spec.jobTemplate) && isObject(spec.jobTemplate.spec) ? spec.jobTemplate.spec : {};
  const alone = spec.concurrencyPolicy === 'Forbid' || spec.concurrencyPolicy === 'Replace';
  return jobRunning(template, period, rate * period.periodHours, alone && rate > 0 ? 1 / rate : undefined);
}

/** @param longest hours after which the next run ends or replaces this one */
function jobRunning(spec: JsonObject, { jobMinutes }: Period, runs: number, longest = Number.POSITIVE_INFINITY): Running {
  if (runs === 0) return 'The schedule never fires.';
  const pods = wholeNumber(spec.completions) ?? wholeNumber(spec.parallelism) ?? 1;
  if (pods === 0) return 'The Job runs no pods.';
  const deadline = wholeNumber(spec.activeDeadlineSeconds);
  const most = Math.min(longest, deadline === undefined ? Number.POSITIVE_INFINITY : deadline / 3600);
  const hours = (minutes: number) => Math.min(minutes / 60, most);
  return {
    count: exactly(pods * runs),
    hours: { low: hours(jobMinutes.low), central: hours(jobMinutes.central), high: hours(jobMinutes.high) },
    ...(jobMinutes.low < jobMinutes.high && {
      note: `The manifest does not say how long its pods run. The estimate assumes ${plural(jobMinutes.central, 'minute')}.`,
    }),
  };
}
