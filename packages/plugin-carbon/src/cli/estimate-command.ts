import { type RenderingFlags, renderingOf } from '@bylaw/core/command/judging';
import { remoteCall } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { Rendering } from '@bylaw/core/resource';
import { type CarbonEstimate, contextOf, type EstimateRequest, estimate, type ReadBefore } from '../estimate/index.js';
import type { ReadItems } from '../items/index.js';
import { type EstimateFlags, numberOf, requestOf } from './estimate-request.js';
import { billBody, billsAt, manifestsAt, terraformAt, usageAt } from './read-inputs.js';

export interface EstimateCommandFlags extends EstimateFlags, RenderingFlags {
  compare?: string[] | undefined;
  'compare-terraform'?: string | undefined;
  'compare-region'?: string | undefined;
}

/** The answer, and whether all of the input was read. */
export interface EstimateRun {
  answer: CarbonEstimate;
  whole: boolean;
}

/** What a server would be asked, answered here or there. */
export async function estimateCommand(
  paths: readonly string[],
  flags: EstimateCommandFlags,
  installation: Installation,
): Promise<EstimateRun> {
  const { request, before, whole } = await estimateInput(paths, flags, installation);
  const { url, key } = installation.loaded.remote;
  if (url === undefined) return { answer: await estimate(request, before), whole };
  return { answer: await remoteCall<CarbonEstimate>({ url, key }, 'POST', 'carbon/estimate', { body: request }), whole };
}

/** What is asked, as files and flags say it. Where it is answered here, a bill is read beside it, so that it may be of any size. */
export interface EstimateInput {
  request: EstimateRequest;
  before: ReadBefore;
  whole: boolean;
}

export async function estimateInput(
  paths: readonly string[],
  flags: EstimateCommandFlags,
  installation: Installation,
): Promise<EstimateInput> {
  const request = requestOf(flags);
  const rendering = await renderingOf(flags, installation);
  const errors: string[] = [];
  if (paths.length > 0) request.manifests = await objectsAt(paths, rendering, errors);
  if (flags.terraform !== undefined) request.terraform = await terraformAt(flags.terraform);
  if (flags.usage !== undefined) request.usage = await usageAt(flags.usage);
  const proposed = await proposedOf(flags, rendering, errors, request);
  if (proposed) request.compare = { proposed };
  const whole = errors.length === 0;
  if (installation.loaded.remote.url !== undefined) {
    const bill = flags.focus === undefined ? {} : await billBody(flags.focus);
    return { request: { ...request, ...bill }, before: {}, whole };
  }
  const items = [...unread(errors), ...(flags.focus === undefined ? [] : [await billsAt(flags.focus, contextOf(request))])];
  if (items.length === 0 && !hasInput(request))
    throw new BylawError('usage', 'Nothing is named whose emissions could be estimated.', {
      hint: 'Name manifests, or give --terraform, --focus or --usage.',
    });
  return { request, before: { items }, whole };
}

/** Whether the proposal emits more than the threshold allows. */
export function increases({ comparison }: CarbonEstimate, threshold: string | undefined): boolean {
  if (threshold === undefined) return false;
  const percent = numberOf(threshold.replace(/%$/, ''), '--fail-on-increase') ?? 0;
  if (comparison === undefined)
    throw new BylawError('usage', '--fail-on-increase needs a proposal.', { hint: 'Name it with --compare PATH.' });
  return comparison.percent === null ? comparison.delta_kg_co2e.central > 0 : comparison.percent.central > percent;
}

async function proposedOf(
  flags: EstimateCommandFlags,
  rendering: Rendering | undefined,
  errors: string[],
  request: EstimateRequest,
): Promise<NonNullable<EstimateRequest['compare']>['proposed'] | undefined> {
  const { compare, 'compare-terraform': plan, 'compare-region': region } = flags;
  if (compare === undefined && plan === undefined && region === undefined) return undefined;
  // A region alone asks what moving would do.
  const { manifests, terraform, usage } = request;
  const same = compare === undefined && plan === undefined;
  return {
    ...(same && manifests !== undefined && { manifests }),
    ...(same && terraform !== undefined && { terraform }),
    ...(same && usage !== undefined && { usage }),
    ...(compare !== undefined && { manifests: await objectsAt(compare, rendering, errors) }),
    ...(plan !== undefined && { terraform: await terraformAt(plan) }),
    ...(request.nodes && { nodes: request.nodes }),
    ...(region !== undefined && { region }),
  };
}

async function objectsAt(paths: readonly string[], rendering: Rendering | undefined, errors: string[]) {
  const read = await manifestsAt(paths, rendering);
  errors.push(...read.errors);
  return read.objects;
}

function unread(errors: readonly string[]): ReadItems[] {
  if (errors.length === 0) return [];
  return [{ items: [], unestimated: [], warnings: errors.map((message) => ({ code: 'malformed', message, path: '/manifests' })) }];
}

function hasInput({ manifests, terraform, usage }: EstimateRequest): boolean {
  return manifests !== undefined || terraform !== undefined || usage !== undefined;
}
