// An API server over HTTPS that holds so many objects of many kinds, in a process of its own. Arguments: count, folder for the kubeconfig.
// Prints one line when it listens, and runs until it is ended.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiServer } from '../packages/plugin-k8s/dist/cluster/testing/api-server.test-support.js';
import { mixedObjects } from '../packages/plugin-k8s/dist/cluster/testing/objects.test-support.js';

const [count = '10000', folder = '.'] = process.argv.slice(2);
const server = await apiServer({ objects: mixedObjects(Number(count)) });
await writeFile(join(folder, 'kubeconfig'), server.kubeconfig());
console.log(server.url);
