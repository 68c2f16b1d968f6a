import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBatches, joinChunks, newChain, richChain } from '../chain.test-support.js';
import { recordLine } from '../record-line.js';
import { exportCsv } from './csv.js';
import { exportJsonl } from './jsonl.js';
import { surveyRange } from './survey.js';

/** RFC 4180, written again. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, cell = '', end] of csv.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    row.push(cell.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('the csv export (gate/service.3)', () => {
  const chain = richChain();

  it('has a row of names and a row per record, each with the whole record in its last cell', async () => {
    const csv = await joinChunks(exportCsv(inBatches(chain.records)));
    const [names = [], ...rows] = rowsOf(csv);
    expect(names.join()).toBe(
      'seq,time,type,dev,reported_by,assurance,proposal_id,principal,agent,action_type,resource,environment,decision,enforced,' +
        'effective_decision,approval_id,result_status,contradicts_verdict,bundle_digest,key_id,prev_hash,hash,record',
    );
    expect(rows.map((row) => row.at(-1))).toEqual(chain.records.map(recordLine));
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([23]));
    // Nothing is left over: the file is those cells and nothing else.
    const again = [names, ...rows].map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
    expect(again).toBe(csv);
  });

  it('says in its cells what the records say', async () => {
    const [names = [], ...rows] = rowsOf(await joinChunks(exportCsv(inBatches(chain.records))));
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    expect(objects[2]).toMatchObject({ type: 'proposal', proposal_id: 'p-1', agent: 'agent "7"', environment: 'production', decision: '' });
    expect(objects[6]).toMatchObject({ type: 'verdict', decision: 'DENY', enforced: 'false', effective_decision: 'ALLOW' });
    expect(objects[10]).toMatchObject({ type: 'result', assurance: 'adapter', result_status: 'ok', contradicts_verdict: 'true' });
    expect(objects[4]).toMatchObject({ type: 'result', proposal_id: '', result_status: '', contradicts_verdict: '' });
  });

  it('gives no spreadsheet a formula, whatever the records hold', async () => {
    const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '', '"', "'");
    await fc.assert(
      fc.asyncProperty(start, fc.string({ unit: 'grapheme', maxLength: 12 }), async (first, rest) => {
        const resource = (first + rest).toWellFormed();
        const copy = newChain();
        copy.decide('p-1', { resource });
        const rows = rowsOf(await joinChunks(exportCsv(inBatches(copy.records))));
        for (const row of rows) for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        const written = rows[2]?.[10];
        expect(written === resource || written === `'${resource}`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the jsonl export (gate/service.3)', () => {
  it('has a canonical line per record', async () => {
    const { records } = richChain();
    expect(await joinChunks(exportJsonl(inBatches(records)))).toBe(records.map((record) => `${recordLine(record)}\n`).join(''));
    expect(await joinChunks(exportJsonl(inBatches([])))).toBe('');
  });
});

describe('the survey of a range', () => {
  const { records } = richChain();

  it('tells its ends, and that its links hold', async () => {
    const survey = await surveyRange(inBatches(records.slice(3, 9)));
    expect(survey).toMatchObject({
      count: 6,
      first: { seq: 3, prevHash: records[2]?.hash },
      last: { seq: 8, hash: records[8]?.hash },
      brokenAt: null,
      brokenBy: null,
    });
    expect(await surveyRange(inBatches([]))).toEqual({ count: 0, first: null, last: null, brokenAt: null, brokenBy: null });
  });

  it('names the first record that does not follow (gate/export.1)', async () => {
    expect((await surveyRange(inBatches(records.filter(({ type }) => type !== 'result')))).brokenAt).toBe(5);
    const edited = records.map((record) =>
      record.seq === 6 ? { ...record, header: record.header.replace('"dev":false', '"dev":true') } : record,
    );
    expect((await surveyRange(inBatches(edited))).brokenAt).toBe(6);
  });
});
