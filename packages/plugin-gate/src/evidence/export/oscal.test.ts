import { readFileSync } from 'node:fs';
import { schemaCheck } from '@bylaw/core/schema-check';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateConfig } from '../../config/gate-config.js';
import { CHAIN_ID, inBatches, joinChunks, newChain, richChain } from '../chain.test-support.js';
import type { StoredRecord } from '../record.js';
import { recordLine } from '../record-line.js';
import { uuidsWithin } from '../uuid.js';
import { exportOscal } from './oscal.js';
import { oneLine, oscalSettings } from './oscal-settings.js';

const VERSIONS = ['1.1.2', '1.1.3', '1.2.3'] as const;
const schemaOf = (version: string) =>
  schemaCheck(JSON.parse(readFileSync(new URL(`../vendor/oscal_assessment-results_schema-${version}.json`, import.meta.url), 'utf8')));
const checks = new Map(VERSIONS.map((version) => [version, schemaOf(version)]));

const POLICIES = [{ id: 'prod-needs-human', controls: ['CM-3', 'AC-3', 'AC-3'] }];
const config: GateConfig['oscal'] = { version: '1.1.2', controls: ['AU-2', 'AC-2 (1)', 'not a control'], system_id: ' my system\n' };

const exported = (records: readonly StoredRecord[], settings = oscalSettings(config, CHAIN_ID, POLICIES)) =>
  joinChunks(exportOscal(() => inBatches(records), settings));

/** Members of the document that tests look into. */
interface Document {
  'assessment-results': {
    uuid: string;
    metadata: { version: string; 'last-modified': string };
    results: {
      props: { name: string; value: string }[];
      observations?: { uuid: string; methods: string[]; props: { name: string; value: string }[] }[];
      findings?: {
        target: { 'target-id': string; status: { state: string } };
        'related-observations'?: { 'observation-uuid': string }[];
      }[];
      'reviewed-controls': unknown;
      remarks: string;
    }[];
    'back-matter': { resources: { uuid: string; base64?: { value: string } }[] };
  };
}
const read = (text: string) => {
  const { 'assessment-results': results } = JSON.parse(text) as Document;
  const [result] = results.results;
  if (result === undefined) throw new Error('no result');
  return { results, result };
};

describe('the OSCAL export (gate/service.3)', () => {
  const chain = richChain();

  it.each(VERSIONS)("fits NIST's schema of OSCAL %s", async (version) => {
    const settings = oscalSettings({ ...config, version }, CHAIN_ID, POLICIES, { nextFrom: 21, head: 30 });
    expect(checks.get(version)?.(JSON.parse(await exported(chain.records, settings)))).toEqual([]);
    expect(checks.get(version)?.(JSON.parse(await exported(chain.records.slice(5, 6), settings)))).toEqual([]);
  });

  it.each(VERSIONS)('fits the schema of OSCAL %s without records, policies and controls', async (version) => {
    const settings = oscalSettings({ version, controls: [] }, CHAIN_ID);
    expect(checks.get(version)?.(JSON.parse(await exported([], settings)))).toEqual([]);
    expect(checks.get(version)?.(JSON.parse(await exported(newChain().records, settings)))).toEqual([]);
  });

  it('fits the schema whatever texts the records hold', async () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.toWellFormed());
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (id, resource) => {
        const copy = newChain();
        copy.decide(id, { resource, decision: 'DENY', enforced: false });
        copy.append('admin_action', {}, { reportedBy: `operator:${resource}` });
        expect(checks.get('1.2.3')?.(JSON.parse(await exported(copy.records)))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has one observation per record: a test for a verdict, an examination for all else', async () => {
    const { result } = read(await exported(chain.records));
    expect(result.observations?.map(({ props }) => props.find(({ name }) => name === 'hash')?.value)).toEqual(
      chain.records.map(({ hash }) => hash),
    );
    expect(result.observations?.map(({ methods }) => methods[0])).toEqual(
      chain.records.map(({ type }) => (type === 'verdict' ? 'TEST' : 'EXAMINE')),
    );
  });

  it('holds the records themselves', async () => {
    const { results } = read(await exported(chain.records));
    const base64 = results['back-matter'].resources.find((resource) => resource.base64 !== undefined)?.base64?.value ?? '';
    expect(Buffer.from(base64, 'base64').toString()).toBe(chain.records.map((record) => `${recordLine(record)}\n`).join(''));
  });

  it('finds a control not satisfied when a denial was not enforced or a result contradicts its verdict', async () => {
    const { result } = read(await exported(chain.records));
    expect(result.findings?.map(({ target }) => [target['target-id'], target.status.state])).toEqual([
      ['cm-3_obj', 'not-satisfied'],
      ['ac-3_obj', 'not-satisfied'],
    ]);
    expect(result.findings?.[0]?.['related-observations']).toHaveLength(2);
    const calm = newChain();
    calm.report('p-1', calm.decide('p-1'));
    calm.decide('p-2', { decision: 'DENY' });
    expect(read(await exported(calm.records)).result.findings?.map(({ target }) => target.status.state)).toEqual([
      'satisfied',
      'satisfied',
    ]);
  });

  it('names only controls of matched policies in findings, and the configured ones as reviewed', async () => {
    const { result } = read(await exported(chain.records, oscalSettings(config, CHAIN_ID)));
    expect(result.findings).toBeUndefined();
    expect(result['reviewed-controls']).toEqual({
      'control-selections': [{ 'include-controls': [{ 'control-id': 'au-2' }, { 'control-id': 'ac-2.1' }] }],
    });
  });

  it('states its range, and where to go on when it was cut', async () => {
    const { result, results } = read(
      await exported(chain.records.slice(2, 7), oscalSettings(config, CHAIN_ID, [], { nextFrom: 7, head: 19 })),
    );
    const props = Object.fromEntries(result.props.map(({ name, value }) => [name, value]));
    expect(props).toMatchObject({ from: '2', to: '6', 'next-from': '7', verifiable: 'true', 'system-id': 'my system' });
    expect(result.remarks).toContain('export on from 7');
    expect(results.metadata.version).toBe(chain.records[6]?.hash.slice(0, 12));
  });

  it('says that a broken range is not verifiable', async () => {
    const { result } = read(await exported([...chain.records.slice(0, 3), ...chain.records.slice(4)]));
    expect(result.props.find(({ name }) => name === 'verifiable')?.value).toBe('false');
  });

  it('gives the same bytes for the same records, however they come', async () => {
    const settings = oscalSettings(config, CHAIN_ID, POLICIES);
    const one = await joinChunks(exportOscal(() => inBatches(chain.records, 1), settings));
    expect(await joinChunks(exportOscal(() => inBatches(chain.records, 100), settings))).toBe(one);
  });

  it('ends when a record changes while it is exported', async () => {
    let opened = 0;
    const erased = chain.records.map((record) => (record.seq === 2 ? { ...record, data: null, salt: null } : record));
    const records = () => inBatches(++opened < 3 ? chain.records : erased);
    await expect(joinChunks(exportOscal(records, oscalSettings(config, CHAIN_ID)))).rejects.toThrow('changed');
  });

  it('makes UUIDs as RFC 9562 does', () => {
    // Appendix A.4 of RFC 9562: the namespace of DNS names.
    expect(uuidsWithin('6ba7b810-9dad-11d1-80b4-00c04fd430c8')('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('writes values of properties as one line without white space at the ends', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => oneLine(text) === '' || /^\S(.*\S)?$/u.test(oneLine(text))));
  });
});
