import { k8sError } from '../../error-table.js';
import { asMapping, type JsonMapping } from '../json.js';
import { reasonOf } from '../status.js';
import type { Answer, Transport } from '../transport/index.js';

/** The document of an answer that only an API server can give. */
export function documentOf(transport: Transport, answer: Answer): JsonMapping {
  const document = answer.form === 'json' ? asMapping(answer.value) : undefined;
  if (answer.status === 200 && document) return document;
  if (answer.status === 403)
    throw k8sError('cluster-credentials', `The user may not ask the API server what it serves: ${reasonOf(answer)}.`, {
      hint: 'The ClusterRole system:discovery allows it; every user who has signed in has it unless it was taken away.',
    });
  if (answer.status >= 500)
    throw k8sError('cluster-unreachable', `The API server ${transport.server.origin} cannot answer: ${reasonOf(answer)}.`);
  throw k8sError('not-an-api-server', `The address ${transport.server.origin} answers, but not as an API server (HTTP ${answer.status}).`, {
    hint: 'Check `server` in the kubeconfig. A page to sign in, of a proxy for example, answers like this.',
  });
}
