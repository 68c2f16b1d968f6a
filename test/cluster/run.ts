/**
 * Starts a cluster to try things by hand, with the objects of `shop.ts`, until Ctrl-C:
 *
 *   npm run script -- test/cluster/run.ts
 *   KUBECONFIG=… bylaw scan
 */
import { once } from 'node:events';
import { buildPrograms } from './programs.js';
import { createShop } from './shop.js';
import { startCluster } from './start-cluster.js';

const cluster = await startCluster(await buildPrograms((line) => console.error(line)));
await createShop(cluster.admin);
console.log(`KUBECONFIG=${cluster.user('me', ['system:masters']).kubeconfig}`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await cluster.stop();
