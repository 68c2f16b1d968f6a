import { type RenderingFlags, renderingOf } from '@bylaw/core/command/evaluation';
import { callEndpoint } from '@bylaw/core/command/remote';
import { costBody } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { Rendering } from '@bylaw/core/resource';
import { estimateCarbon } from '../endpoints/endpoints.js';
import { type CarbonEstimate, contextOf, type EstimateRequest, estimate, type ReadBefore } from '../estimate/index.js';
import type { ReadItems } from '../items/index.js';
import { type EstimateFlags, nodeGroup, parseNumberFlag, requestOf } from './estimate-request.js';
import { billsAt, manifestsAt, terraformAt, usageAt } from './read-inputs.js';

export interface EstimateCommandFlags extends EstimateFlags, RenderingFlags {
  compare?: string[] | undefined;
  'compare-terraform'?: string | undefined;
  'compare-usage'?: string | undefined;
  'compare-focus'?: string[] | undefined;
  'compare-nodes'?: string[] | undefined;
  'compare-provider'?: EstimateFlags['provider'];
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
  return {
    answer: await callEndpoint({ url, key }, estimateCarbon, request),
    whole,
  };
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
  const whole = errors.length === 0;
  const bills = { own: flags.focus, proposed: flags['compare-focus'] };
  if (installation.loaded.remote.url !== undefined) {
    const [own, other] = [bills.own && (await costBody(bills.own)), bills.proposed && (await costBody(bills.proposed))];
    const compare = proposed && { compare: { proposed: { ...proposed, ...other } } };
    return { request: { ...request, ...own, ...compare }, before: {}, whole };
  }
  if (proposed) request.compare = { proposed };
  const items = [...unread(errors), ...(bills.own ? [await billsAt(bills.own, contextOf(request))] : [])];
  const others = bills.proposed ? [await billsAt(bills.proposed, contextOf(request, proposed))] : [];
  if (items.length === 0 && !hasInput(request))
    throw new BylawError('usage', 'No input.', {
      hint: 'Pass manifests, --terraform, --focus or --usage.',
    });
  return { request, before: { items, proposed: others }, whole };
}

/** Whether the proposal emits more than the threshold allows. */
export function increases({ comparison }: CarbonEstimate, threshold: string | undefined): boolean {
  if (threshold === undefined) return false;
  const percent = parseNumberFlag(threshold.replace(/%$/, ''), '--fail-on-increase') ?? 0;
  if (comparison === undefined)
    throw new BylawError('usage', '--fail-on-increase needs a proposal.', { hint: 'Pass one with --compare PATH.' });
  return comparison.percent === null ? comparison.delta_kg_co2e.central > 0 : comparison.percent.central > percent;
}

type Proposed = NonNullable<EstimateRequest['compare']>['proposed'];

/** What would run instead, but for a bill, which is read beside the request. A place or nodes alone ask what moving would do. */
async function proposedOf(
  flags: EstimateCommandFlags,
  rendering: Rendering | undefined,
  errors: string[],
  request: EstimateRequest,
): Promise<Proposed | undefined> {
  const { compare, 'compare-terraform': plan, 'compare-usage': list, 'compare-focus': bill } = flags;
  const { 'compare-provider': provider, 'compare-region': region, 'compare-nodes': nodes } = flags;
  const isMove = [compare, plan, list, bill].every((input) => input === undefined);
  if (isMove && [provider, region, nodes].every((place) => place === undefined)) return undefined;
  const fixed = flags.focus !== undefined ? 'A bill' : flags.terraform !== undefined ? 'A Terraform plan' : undefined;
  if (isMove && fixed !== undefined)
    throw new BylawError('usage', `${fixed} already specifies where things run, so a different place alone is not a proposal.`, {
      hint: 'Pass the proposed input with --compare PATH, or with --compare-terraform, --compare-usage or --compare-focus FILE.',
    });
  const { manifests, usage } = request;
  const ofNodes = nodes?.map((text) => nodeGroup(text, '--compare-nodes')) ?? request.nodes;
  return {
    ...(isMove && manifests !== undefined && { manifests }),
    ...(isMove && usage !== undefined && { usage: moved(usage, provider !== undefined, region !== undefined) }),
    ...(compare !== undefined && { manifests: await objectsAt(compare, rendering, errors) }),
    ...(plan !== undefined && { terraform: await terraformAt(plan) }),
    ...(list !== undefined && { usage: await usageAt(list) }),
    ...(ofNodes && { nodes: ofNodes }),
    ...(provider !== undefined && { provider }),
    ...(region !== undefined && { region }),
  };
}

/** Instances that say where they run would not move. */
function moved(usage: NonNullable<EstimateRequest['usage']>, provider: boolean, region: boolean): NonNullable<EstimateRequest['usage']> {
  return usage.map(({ provider: ownProvider, region: ownRegion, ...entry }) => ({
    ...entry,
    ...(!provider && ownProvider !== undefined && { provider: ownProvider }),
    ...(!region && !provider && ownRegion !== undefined && { region: ownRegion }),
  }));
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
