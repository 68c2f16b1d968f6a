import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listWith, readPriceFile, shippedList } from './index.js';

function file(content: string | Uint8Array, name = 'prices.csv'): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-prices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const list = async (content: string | Uint8Array, name?: string) => listWith(await readPriceFile(file(content, name)), shippedList());

const OPENCOST = `EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version
,a,eu-west-1,node,,m5.large,0.107,v1
,b,eu-west-1,node,,m5.xlarge,0.214,v1
,c,eu-west-1,node,,m5.2xlarge,0.428,v1
,d,,node,,own.large,0.5,v1
,e,eu-west-1,pv,,gp3,0.1,v1
,f,eu-west-1,node,,m5.4xlarge,free,v1
`;

/** With the lines that come before the columns, and rows of other terms, systems and tenancies. */
const AWS = [
  '"FormatVersion","v1.0"',
  '"Disclaimer","This list is an example, not a price list."',
  '"Publication Date","2026-11-01T00:00:00Z"',
  '"Version","20261101000000"',
  '"OfferCode","AmazonEC2"',
  '"SKU","TermType","Unit","PricePerUnit","Currency","Instance Type","Operating System","Tenancy","Pre Installed S/W","CapacityStatus","Region Code"',
  '"A","OnDemand","Hrs","0.1070000000","USD","m5.large","Linux","Shared","NA","Used","eu-west-1"',
  '"B","Reserved","Hrs","0.0500000000","USD","m5.large","Linux","Shared","NA","Used","eu-west-1"',
  '"C","OnDemand","Hrs","0.1990000000","USD","m5.large","Windows","Shared","NA","Used","eu-west-1"',
  '"D","OnDemand","Hrs","0.1170000000","USD","m5.large","Linux","Dedicated","NA","Used","eu-west-1"',
  '"E","OnDemand","Hrs","0.0000000000","USD","m5.large","Linux","Shared","NA","AllocatedCapacityReservation","eu-west-1"',
].join('\r\n');

describe('a price file', () => {
  it.each([
    ['of OpenCost', OPENCOST],
    ['of Amazon EC2', AWS],
    ['that is packed', gzipSync(OPENCOST)],
  ])('%s goes before the list', async (_, content) => {
    const { hourPrice } = await list(content);
    expect(hourPrice('aws', 'eu-west-1a', 'm5.large')).toMatchObject({ amount: 0.107, low: 1, high: 1, inferred: false });
    expect(hourPrice('aws', 'us-east-1', 'm5.large')).toMatchObject({ amount: 0.096, inferred: false });
  });

  it('may name prices for every region, and types that no list has', async () => {
    const { hourPrice, sourceOf } = await list(OPENCOST);
    expect(hourPrice('gcp', 'europe-west4', 'own.large')?.amount).toBe(0.5);
    expect(hourPrice('aws', 'eu-west-1', 'm5.4xlarge')).toMatchObject({ amount: 0.768, inferred: true });
    expect(sourceOf('aws')).toContain('price file');
  });

  it('says what a vCPU costs in a region of which it has some types', async () => {
    const { vcpuPrice } = await list(OPENCOST);
    const home = shippedList().vcpuPrice('aws', 'us-east-1');
    const there = vcpuPrice('aws', 'eu-west-1');
    expect(there.amount).toBeCloseTo(home.amount * (0.107 / 0.096), 10);
    expect(there.inferred).toBe(false);
    expect(vcpuPrice('aws', 'eu-north-1').inferred).toBe(true);
  });

  it.each([
    ['no table', 'a,b\n"never ends', /near line 2/],
    ['a table of something else', 'a,b\n1,2\n', /column names/],
    ['JSON', '{"prices": []}', /column names|not valid CSV/],
    ['empty', '', /column names/],
    ['without a price', OPENCOST.slice(0, OPENCOST.indexOf('\n') + 1), /no machine prices/],
    ['packed and cut off', gzipSync(OPENCOST.repeat(50)).subarray(0, 150), /cannot be read/],
  ])('is refused when it is %s, without its content', async (_, content, message) => {
    const error = await readPriceFile(file(content)).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'path-unreadable',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('finops.prices'),
    });
  });

  it('is refused when it is missing, without its path', async () => {
    const error = await readPriceFile('/missing/secret-place.csv').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ message: expect.stringContaining('does not exist') });
    expect(String(error)).not.toContain('secret-place');
  });
});
