import { describe, it } from 'vitest';
import { sharedGateServer } from './testing/gate-server.test-support.js';
import { sendMalformed } from './testing/malformed.test-support.js';

describe('a hundred thousand malformed requests', () => {
  const shared = sharedGateServer({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });

  it('get no 5xx, nothing of theirs back, and no record', () => sendMalformed(shared(), 100_000));
});
