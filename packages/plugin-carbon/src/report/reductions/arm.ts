import type { Provider } from '@bylaw/core/workload';
import { type Machine, machineData, machineOf } from '../../factors/index.js';
import { grouped, type Proposal, type Situation } from './proposal.js';

/** Machines for which the lists have one of the same size with an Arm processor. */
export function armMoves({ estimations }: Situation): Proposal[] {
  const found = estimations.flatMap(({ item }) => {
    const { instanceType: from, provider } = item;
    const to = from === undefined || item.unit.gpu > 0 ? undefined : armTypeOf(provider, from);
    return from === undefined || to === undefined ? [] : [{ key: `${provider} ${from}`, item, from, to }];
  });
  return grouped(found).map((same) => {
    const [{ from, to }] = same;
    return {
      kind: 'arm',
      title: `Arm: ${to} instead of ${from}`,
      ...{ from, to },
      note: 'Same vCPUs, memory and load. Images and libraries must be built for arm64. The estimate does not check whether the type is available in the region.',
      replaced: same.map(({ item }) => ({ item, by: [{ ...item, instanceType: to }] })),
    };
  });
}

/** The equal-sized type whose power is known best, the latest of these; undefined where the lists do not have one. */
export function armTypeOf(provider: Provider, type: string): string | undefined {
  const machine = machineOf(provider, type);
  if (machine === undefined || ARM.test(machine.power.architecture)) return undefined;
  const candidates = provider === 'aws' ? awsCandidates(type) : provider === 'gcp' ? gcpCandidates(type) : [];
  const listed = candidates.flatMap((name) => (isListed(provider, name) ? [{ name, machine: machineOf(provider, name) }] : []));
  const equal = listed.filter((one): one is { name: string; machine: Machine } => isEqual(one.machine, machine));
  return (equal.find((one) => one.machine.power.class === 'measured') ?? equal[0])?.name;
}

/** Names of processors as the lists have them: AWS Graviton, Google Axion, Ampere Altra. */
const ARM = /^(?:Graviton|Axion|Quicksilver|Ampere)/;

/** `m5d.xlarge` → `m8gd.xlarge`, `m7gd.xlarge`, …: https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html */
function awsCandidates(type: string): string[] {
  const [, service = '', family, letters, size] =
    /^(db\.|cache\.)?([cmrt])\d([a-z]{0,3})\.([0-9]{0,2}[a-z]{5,6})$/.exec(type.toLowerCase()) ?? [];
  if (family === undefined || letters === undefined || size === undefined) return [];
  // The letters of the makers of processors go; those of local disks and of the network stay.
  const options = letters.replaceAll(/[ai]/g, '');
  return (family === 't' ? [4] : [8, 7, 6]).map((generation) => `${service}${family}${generation}g${options}.${size}`);
}

function gcpCandidates(type: string): string[] {
  const [, size] = /^(?:n1|n2|n2d|e2|n4|c3|c3d|c4|t2d)-(standard-\d{1,3})$/.exec(type.toLowerCase()) ?? [];
  return size === undefined ? [] : [`c4a-${size}`, `t2a-${size}`];
}

/** A name from which a machine was inferred is not a proof that it is sold. */
function isListed(provider: Provider, name: string): boolean {
  return machineData().machines.has(`${provider}/${name.replace(/^(db|cache)\./, '')}`);
}

function isEqual(one: Machine | undefined, other: Machine): one is Machine {
  return one !== undefined && one.vcpu === other.vcpu && one.memoryGib === other.memoryGib && one.gpus === 0 && other.gpus === 0;
}
