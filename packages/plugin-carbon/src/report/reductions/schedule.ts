import type { CarbonItem } from '../../items/index.js';
import type { Proposal, Situation } from './proposal.js';

/** Ten hours on five days of the seven. */
const WORKING_SHARE = 50 / 168;

/** Less than the whole period is a schedule already. */
const ALWAYS = 0.99;

/** What runs day and night and is named or tagged as something that only people at work use, run in working hours. Disks stay. */
export function schedules({ estimations, periodHours }: Situation): Proposal[] {
  const items = estimations
    .map(({ item }) => item)
    .filter((item) => item.unit.vcpu > 0 && item.hours.central >= ALWAYS * periodHours && isForWork(item));
  if (items.length === 0) return [];
  return [
    {
      kind: 'schedule',
      title: 'Working hours for development and test',
      from: 'day and night',
      to: '50 of 168 hours a week',
      note: 'Names or tags mark these items as development, test or staging. Disks are kept. Release the nodes as well, or their capacity stays idle.',
      replaced: items.map((item) => ({ item, by: scheduled(item) })),
    },
  ];
}

function scheduled(item: CarbonItem): CarbonItem[] {
  const { hours, unit } = item;
  const none = { ssdGb: 0, hddGb: 0, networkGb: 0 };
  const worked = { low: hours.low * WORKING_SHARE, central: hours.central * WORKING_SHARE, high: hours.high * WORKING_SHARE };
  const machine = { ...item, hours: worked, unit: { ...unit, ...none } };
  const disks = { ...item, unit: { ...unit, vcpu: 0, memoryGib: 0, gpu: 0 } };
  return unit.ssdGb + unit.hddGb + unit.networkGb > 0 ? [machine, disks] : [machine];
}

const WORDS = new Set(['dev', 'devel', 'development', 'test', 'tests', 'testing', 'stage', 'staging', 'qa', 'sandbox', 'preview']);

/** Whole words only: `contest` is not a test. */
function isForWork({ id, groups }: CarbonItem): boolean {
  const texts = [id, ...Object.entries(groups).flatMap(([name, value]) => (TELLING.test(name) ? [value] : []))];
  return texts.some((text) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => WORDS.has(word)),
  );
}

/** A tag whose name says that it names an environment, and what a namespace or an account is called. */
const TELLING = /^(?:namespace|account|tag:(?:.*[/._-])?(?:env|environment|stage|tier|purpose))$/i;
