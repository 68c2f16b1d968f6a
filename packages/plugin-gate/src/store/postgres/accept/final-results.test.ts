import { afterAll, expect, it } from 'vitest';
import type { EvidenceStore } from '../../store.js';
import { absent, allRecords, openStore, runningServer, server } from '../testing/store.test-support.js';
import { aDecision, anApproval, aResult } from '../testing/units.test-support.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

it.skipIf(absent)('two replicas record one of 50 final results that come at once, and answer its body again', async () => {
  const dsn = await runningServer().createDatabase();
  const replicas = await Promise.all([openStore(dsn), openStore(dsn, { replica: 'b' })]);
  try {
    const [a, b] = replicas as [EvidenceStore, EvidenceStore]; // two were opened
    await a.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
    await a.settle(anApproval('p-1'));
    const reports = Array.from({ length: 50 }, (_, index) => aResult('p-1', { bodyDigest: `sha256:${index % 25}` }));
    const outcomes = await Promise.all(reports.map((report, index) => (index < 25 ? a : b).report(report)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...Array.from({ length: 48 }, () => 'already-final'), 'recorded', 'repeated']);
    const results = (await allRecords(a)).filter(({ type }) => type === 'result');
    expect(results.map(({ data }) => JSON.parse(data ?? '').contradicts_verdict)).toEqual([false]);
    expect((await b.approval('apr_p-1'))?.state).toBe('consumed');
  } finally {
    await Promise.all(replicas.map((store) => store.close()));
  }
});
