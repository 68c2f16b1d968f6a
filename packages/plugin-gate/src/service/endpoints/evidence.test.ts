import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { rotationData } from '../../evidence/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import type { EvidenceStore } from '../../store/index.js';
import { proposal } from '../testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServer, gateServers, sharedGateServer } from '../testing/gate-server.test-support.js';

const start = gateServers();
const FREE = 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}';

async function filled(server: GateServer, decisions: number): Promise<void> {
  for (let index = 0; index < decisions; index++) await server.submit(proposal(`p-${index}`));
}

const seqs = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).seq);

describe('GET /v1/evidence', () => {
  const shared = sharedGateServer({ yaml: FREE });
  const get = (query = '') => shared().send('GET', `/v1/evidence${query}`);

  it('exports the whole chain as jsonl, and says that it can be verified (gate/service.3)', async () => {
    await filled(shared(), 4);
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('x-svc-verifiable')).toBe('true');
    expect(answer.headers.get('x-svc-not-verifiable-reason')).toBeNull();
    expect(answer.headers.get('x-svc-range')).toBe('0-9/9');
    expect(answer.headers.get('link')).toBeNull();
    expect(seqs(answer.text)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('exports csv and oscal too, which can be verified as well (gate/service.3)', async () => {
    const csv = await get('?format=csv');
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(csv.text.split('\r\n')).toHaveLength(12);
    const oscal = await get('?format=oscal');
    expect(oscal.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(oscal.text)).toHaveProperty('assessment-results');
    for (const answer of [csv, oscal]) expect(answer.headers.get('x-svc-verifiable')).toBe('true');
  });

  it('takes a range with both ends in it, and cuts it to what there is', async () => {
    const part = await get('?from=2&to=5');
    expect(seqs(part.text)).toEqual([2, 3, 4, 5]);
    expect(part.headers.get('x-svc-range')).toBe('2-5/9');
    expect(part.headers.get('x-svc-verifiable')).toBe('true');
    expect(seqs((await get('?from=8&to=1000000')).text)).toEqual([8, 9]);
    expect(seqs((await get('?from=3&to=3')).text)).toEqual([3]);
  });

  it('answers an empty range that begins beyond the head, which nothing can verify', async () => {
    const answer = await get('?from=10');
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(answer.headers.get('x-svc-verifiable')).toBe('false');
    expect(answer.headers.get('x-svc-not-verifiable-reason')).toBe('empty range');
  });

  it('says of an export of some types that it cannot be verified, and why (gate/export.1)', async () => {
    for (const format of ['jsonl', 'csv']) {
      const answer = await get(`?type=verdict&format=${format}`);
      expect(answer.headers.get('x-svc-verifiable')).toBe('false');
      expect(answer.headers.get('x-svc-not-verifiable-reason')).toBe('filtered by type');
    }
    expect(seqs((await get('?type=verdict')).text)).toEqual([3, 5, 7, 9]);
    expect(seqs((await get('?type=verdict&type=genesis')).text)).toEqual([0, 3, 5, 7, 9]);
  });

  it('makes no oscal of some types, not even of all of them by name (gate/export.2)', async () => {
    for (const query of ['type=verdict', 'type=verdict&type=proposal', 'type=result'])
      expectProblem(await get(`?format=oscal&${query}`), 422, 'AG-EVD-005');
  });

  it.each([
    'from=-1',
    'from=1.5',
    'from=x',
    'to=',
    'from=1&from=2',
    'from=5&to=4',
    'format=xml',
    'type=unknown',
    'limit=5',
    'format=csv&format=csv',
  ])('refuses ?%s', async (query) => {
    expectProblem(await get(`?${query}`), 422, 'AG-SCH-005');
  });

  it.each(['from=x', 'limit=5', 'format=oscal&type=verdict'])('looks at the signature before ?%s', async (query) => {
    const secret = 'x'.repeat(32);
    expectProblem(await shared().send('GET', `/v1/evidence?${query}`, { secret }), 401, 'AG-IDN-005');
    expectProblem(await shared().send('GET', `/v1/evidence?${query}`, { adapter: 'team.ci', secret }), 401, 'AG-IDN-005');
  });

  it('gives the same headers for HEAD, and no body', async () => {
    for (let request = 0; request < 5; request++) {
      const answer = await shared().send('HEAD', '/v1/evidence?from=2&to=5');
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('');
      expect(answer.headers.get('x-svc-range')).toBe('2-5/9');
    }
  });

  it('runs two exports at a time, and refuses the third until one has ended', async () => {
    const server = shared();
    const releases: (() => void)[] = [];
    const held = [1, 2].map(() => server.gate.exports.hold(async (release) => void releases.push(release)));
    await Promise.all(held);
    const refused = await get();
    expectProblem(refused, 503, 'AG-LIM-003');
    expect(refused.headers.get('retry-after')).toBe('5');
    releases[0]?.();
    expect((await get()).status).toBe(200);
    expect((await get()).status).toBe(200);
    releases[1]?.();
  });

  it('can be asked by every registered adapter', async () => {
    expect((await shared().send('GET', '/v1/evidence', { adapter: 'tool' })).status).toBe(200);
  });
});

/** Does to the file what its triggers forbid. */
function change({ folder }: GateServer, statement: string): void {
  const db = new DatabaseSync(join(folder, '.bylaw', 'gate.sqlite'));
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) db.exec(`DROP TRIGGER ${name}`);
  db.exec(statement);
  db.close();
}

describe('a chain that was tampered with', () => {
  it('is exported all the same, with the number of the record that is wrong', async () => {
    const server = await start({ yaml: FREE });
    await filled(server, 3);
    change(server, `UPDATE record SET header = replace(header, '"ci"', '"xx"') WHERE seq = 4`);
    const answer = await server.send('GET', '/v1/evidence');
    expect(answer.headers.get('x-svc-verifiable')).toBe('false');
    expect(answer.headers.get('x-svc-not-verifiable-reason')).toBe('link broken at seq 4');
    expect(seqs(answer.text)).toHaveLength(8);
  });
});

describe('X-SVC-Verifiable', () => {
  /** What an export says after a statement by someone who has the file. */
  const after = async (server: GateServer, statement: string) => {
    change(server, statement);
    const { headers } = await server.send('GET', '/v1/evidence');
    return [headers.get('x-svc-verifiable'), headers.get('x-svc-not-verifiable-reason')];
  };
  const other = `UPDATE record SET sig = (SELECT sig FROM record WHERE seq = 2)`;

  it('is false for data that is not what was hashed', async () => {
    const server = await start({ yaml: FREE });
    await filled(server, 2);
    expect(await after(server, `UPDATE record SET data = replace(data, 'staging', 'nowhere') WHERE seq = 2`)).toEqual([
      'false',
      'digest broken at seq 2',
    ]);
  });

  it('is false for a signature that does not verify', async () => {
    const server = await start({ yaml: FREE });
    await filled(server, 2);
    expect(await after(server, `${other} WHERE seq = 3`)).toEqual(['false', 'signature broken at seq 3']);
  });

  it('is false for a signature that was changed after this process had verified it', { timeout: 60_000 }, async () => {
    const server = await start({ yaml: FREE });
    await many(server.gate.store, 300, server);
    expect(await after(server, '')).toEqual(['true', null]);
    expect(await after(server, '')).toEqual(['true', null]);
    expect(await after(server, `${other} WHERE seq = 100`)).toEqual(['false', 'signature broken at seq 100']);
  });

  it('is true for what an erasure and a rotation of the key have left', async () => {
    const server = await start({ yaml: FREE });
    await filled(server, 2);
    const { store } = server.gate;
    const act = { kind: 'admin', time: server.now().toISOString(), dev: false, reportedBy: 'operator:test' } as const;
    await store.erase(2, { ...act, type: 'admin_action', data: { action: 'evidence.erase', seq: 2 } });
    const head = await store.head();
    const data = rotationData(signerFromPem(newKeyPem()), store.chainId, head?.hash ?? '', 'test');
    await store.administer({ ...act, type: 'key', data });
    expect(await after(server, '')).toEqual(['true', null]);
  });
});

describe('a long chain', () => {
  it('is exported 50,000 records at a time, and says where to go on (gate/export.3)', { timeout: 300_000 }, async () => {
    const server = await gateServer({ yaml: FREE });
    try {
      await many(server.gate.store, 25_005, server);
      const first = await server.send('GET', '/v1/evidence?type=verdict');
      expect(first.headers.get('x-svc-range')).toBe('0-49999/50011');
      expect(first.headers.get('x-svc-next-from')).toBe('50000');
      expect(first.headers.get('link')).toBe('</v1/evidence?from=50000&type=verdict>; rel="next"');
      const second = await server.send('GET', '/v1/evidence?from=50000');
      expect(seqs(second.text)).toHaveLength(12);
      expect(second.headers.get('x-svc-next-from')).toBeNull();
      expect(second.headers.get('x-svc-verifiable')).toBe('true');
    } finally {
      await server.remove();
    }
  });
});

/** Puts decisions into the store without asking for them one by one. */
async function many(store: EvidenceStore, decisions: number, server: GateServer): Promise<void> {
  await server.submit(proposal('model'));
  const model = await store.proposal('model');
  if (!model?.proposal || !model.verdict) throw new Error('the proposal was recorded');
  const { proposal: data, verdict } = model;
  for (let done = 1; done < decisions; done += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, decisions - done) }, (_, index) =>
        store.decide({
          kind: 'decision',
          proposalId: `p-${done + index}`,
          time: server.now().toISOString(),
          dev: false,
          reportedBy: 'ci',
          proposal: data,
          verdict: { ...verdict, proposal_id: `p-${done + index}` },
        }),
      ),
    );
}

describe('GET /v1/evidence/by-ref/{ref}', () => {
  const shared = sharedGateServer();
  const get = (ref: string) => shared().send('GET', `/v1/evidence/by-ref/${ref}`);

  it('gives the record of a decision, byte for byte as it is exported (gate/events.1)', async () => {
    const { evidence_ref, evidence_seq } = JSON.parse((await shared().submit(proposal('p-1'))).text);
    const answer = await get(evidence_ref);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ seq: evidence_seq[1], type: 'verdict', data: { proposal_id: 'p-1' } });
    expect((await shared().send('GET', `/v1/evidence?from=${evidence_ref}`)).text).toBe(answer.text);
  });

  it.each(['4', '99999999999999999', 'ob_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '01', '-1', 'ob_1'])('knows no %s', async (ref) => {
    expectProblem(await get(ref), 404, 'AG-EVD-003');
  });
});
