import { afterEach, describe, expect, it } from 'vitest';
import { type GateServer, type GateServerOptions, gateServer, proposal } from './testing/gate-server.test-support.js';

const servers: GateServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});
async function start(options: GateServerOptions = {}): Promise<GateServer> {
  const server = await gateServer(options);
  servers.push(server);
  return server;
}

describe('POST /v1/proposals', () => {
  it('answers a verdict with exactly six members (gate/service.1) (gate/post.200)', async () => {
    const server = await start();
    const answer = await server.submit(proposal('p-1'));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      verdict: expect.objectContaining({ decision: 'ALLOW' }),
      enforced: true,
      effective_decision: 'ALLOW',
      evidence_ref: '3',
      evidence_seq: [2, 3],
      approval: null,
    });
  });
});
