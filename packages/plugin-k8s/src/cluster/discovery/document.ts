import { k8sError } from '../../error-table.js';
import type { ServedKind } from '../cluster.js';
import { asMapping, type JsonMapping } from '../json.js';
import { reasonOf } from '../status.js';
import type { Answer, Transport } from '../transport/index.js';

/** The document of an answer that only an API server can give. */
export function documentOf(transport: Transport, answer: Answer): JsonMapping {
  const document = answer.form === 'json' ? asMapping(answer.value) : undefined;
  if (answer.status === 200 && document) return document;
  if (answer.status === 403)
    throw k8sError('cluster-credentials', `The user is not allowed to list the APIs that the API server serves: ${reasonOf(answer)}.`, {
      hint: 'The ClusterRole system:discovery allows this. By default, every authenticated user has it.',
    });
  if (answer.status >= 500)
    throw k8sError('cluster-unreachable', `The API server ${transport.server.origin} cannot answer: ${reasonOf(answer)}.`);
  throw k8sError('not-an-api-server', `The server at ${transport.server.origin} is not a Kubernetes API server (HTTP ${answer.status}).`, {
    hint: 'Check `server` in the kubeconfig. A sign-in page, for example of a proxy, can also be the cause.',
  });
}

/** A version of a group, with what it serves; `resources` is absent where its server does not answer. Preferred ones come first. */
export interface GroupVersion {
  group: string;
  version: string;
  resources: readonly ServedKind[] | { failed: string };
}
