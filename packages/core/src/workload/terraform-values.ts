import { isObject, type JsonObject, type JsonValue } from '../resource/index.js';
import { BYTES_PER_GB, BYTES_PER_GIB } from './quantity.js';
import { exactly, type Spread } from './spread.js';

/** A part of a resource that draws power: instances of a type, or disks. */
export interface TerraformPart {
  type?: string;
  count: Spread;
  /** Disks of each instance, in GB of 10^9 bytes. */
  ssdGb?: number;
  hddGb?: number;
  /** GPUs that are attached to each instance, beside those of its type. */
  gpu?: number;
  gpuModel?: string;
  region?: string;
  /** Tells the parts of a resource apart. */
  suffix?: string;
}

/**
 * The parts of a resource; a text names the argument without which nothing can be said, or is a sentence of its own.
 * @param template values of the template that a group starts machines from; empty where there is none
 */
export type Reader = (object: JsonObject, template: JsonObject) => TerraformPart[] | string;

export function machine(object: JsonObject, argument: string, count: Spread, more: Partial<TerraformPart> = {}): TerraformPart[] | string {
  const type = textIfGiven(object[argument]);
  return type === undefined ? argument : [{ type, count, ...more }];
}

export function storage(
  size: JsonValue | undefined,
  kind: JsonValue | undefined,
  argument: string,
  more: Partial<TerraformPart>,
): TerraformPart[] | string {
  return number(size) === undefined ? argument : [{ count: exactly(1), ...volume(size, kind), ...more }];
}

/** Volume types that are disks that turn. */
const HDD = /^(standard|st1|sc1|magnetic|pd-standard|PD_HDD|Standard_(LRS|ZRS))$/;

/**
 * A disk of `size` GiB. All three providers size disks in GiB, whatever the argument is called: the documentation of hashicorp/aws says so of `size`,
 * `volume_size` and `allocated_storage`. The `GB` of Google Cloud is 2^30 bytes (https://cloud.google.com/compute/disks-image-pricing); Azure lists
 * its disks in GiB (https://learn.microsoft.com/azure/virtual-machines/disks-types).
 */
export function volume(size: JsonValue | undefined, kind: JsonValue | undefined): { ssdGb: number } | { hddGb: number } {
  const gb = gbOfGib(number(size) ?? 0);
  return typeof kind === 'string' && HDD.test(kind) ? { hddGb: gb } : { ssdGb: gb };
}

export function gbOfGib(gib: number): number {
  return (gib * BYTES_PER_GIB) / BYTES_PER_GB;
}

/** The disks of an instance together. */
export function stored(
  disks: readonly JsonObject[],
  more: readonly JsonObject[],
  size: string,
  kind: string,
): { ssdGb: number; hddGb: number } {
  const sum = { ssdGb: 0, hddGb: 0 };
  for (const disk of [...disks, ...more]) {
    const own = volume(disk[size], disk[kind]);
    if ('hddGb' in own) sum.hddGb += own.hddGb;
    else sum.ssdGb += own.ssdGb;
  }
  return sum;
}

/** Between the ends of an autoscaler; where it says how many run now, that is the central value. Undefined where nothing is known. */
export function scaling(object: JsonObject, desired: string, low: string, high: string): Spread | undefined {
  const [now, least, most] = [number(object[desired]), number(object[low]), number(object[high])];
  if (least === undefined || most === undefined || most < least || most === 0) return now === undefined ? undefined : exactly(now);
  return { low: least, high: most, central: Math.min(most, Math.max(least, now ?? (least + most) / 2)) };
}

/** `eu-west-1a` and `europe-west1-b` are zones of regions; the lookup of regions knows that. */
export function zone(object: JsonObject): { region?: string } {
  const zones = Array.isArray(object.availability_zones) ? object.availability_zones : [];
  const name = [object.availability_zone, object.zone, object.region, object.location, zones[0]]
    .map(textIfGiven)
    .find((one) => one !== undefined);
  return name === undefined ? {} : { region: name };
}

/** A block is in a list of one. */
export function block(value: JsonValue | undefined): JsonObject {
  const first = firstOf(value);
  return isObject(first) ? first : isObject(value) ? value : {};
}

export function blocks(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
}

export function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

export function textIfGiven(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 10_000_000 ? value : undefined;
}
