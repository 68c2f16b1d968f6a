import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpointTool } from '@bylaw/core/endpoint/host';
import { requestCheck } from '@bylaw/core/http';
import { describe, expect, it } from 'vitest';
import { runningServer } from '../../cluster/testing/connected.test-support.js';
import { mixedObjects } from '../../cluster/testing/objects.test-support.js';
import { SCAN_REPORT } from './scan-body.js';
import { scanCluster } from './scan-endpoint.js';
import { scanningServer } from './services.test-support.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));

describe('one cluster, through every interface', () => {
  it('gives the same answer by command, REST and tool, field by field', async () => {
    const cluster = await runningServer({ objects: mixedObjects(60) });
    cluster.forbid('jobs.batch');
    const { post, services, folder, kubeconfig } = await scanningServer(cluster, 'exceptions: [{rule: CS-042, reason: later}]\n');
    const rest = await post({ namespaces: ['team-0', 'team-1'], severities: ['medium', 'low'], include_passed: true });
    const args = { namespaces: ['team-0', 'team-1'], severities: ['medium', 'low'], include_passed: true };
    const tool = JSON.parse((await endpointTool(scanCluster, services)?.answer(args, new AbortController().signal)) ?? '');
    const flags = ['-n', 'team-0,team-1', '--severity', 'medium,low', '--include-passed', '--json', '--kubeconfig', kubeconfig];
    const command = await promisify(execFile)(process.execPath, [RUN, 'scan', ...flags], { cwd: folder }).catch((error: unknown) => error);
    expect(rest.json).toMatchObject({ summary: { errors: 1 }, cluster: { denied: [{ kind: 'Job' }] } });
    expect((rest.json['findings'] as object[]).length).toBeGreaterThan(50);
    expect(tool).toEqual(rest.json);
    expect(command).toMatchObject({ code: 2, stdout: rest.text, stderr: '' });
    expect(requestCheck(SCAN_REPORT)(tool)).toEqual([]);
  });

  it('refuses the same things, in the words of its interface', async () => {
    const { services } = await scanningServer(await runningServer());
    const call = (args: object) => endpointTool(scanCluster, services)?.answer({ ...args }, new AbortController().signal);
    await expect(call({ kinds: ['Deploymnt'] })).rejects.toMatchObject({ code: 'kind-unknown' });
    await expect(call({ context: 'production' })).rejects.toMatchObject({ code: 'context-not-allowed' });
  });
});
