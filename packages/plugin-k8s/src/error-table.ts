import { errorsOf, errorTable } from '@bylaw/core/errors';

/**
 * Every error that can end a command of this plugin, with its stable code; sorted. `docs/reference/errors.md` is generated from it.
 * Exit codes: 2 usage or input, 3 configuration, 70 internal.
 */
export const K8S_ERRORS = errorTable({
  'cluster-certificate': { exit: 2, summary: 'The certificate of the API server cannot be trusted.' },
  'cluster-credentials': { exit: 2, summary: 'The cluster does not accept the credentials.' },
  'cluster-unreachable': { exit: 2, summary: 'The API server of the cluster does not answer.' },
  'context-not-allowed': { exit: 2, summary: 'The server does not scan this context.' },
  'context-unknown': { exit: 2, summary: 'The kubeconfig has no such context.' },
  'credential-plugin': { exit: 2, summary: 'The credential plugin in the kubeconfig returns no credentials.' },
  'kind-unknown': { exit: 2, summary: 'The cluster serves no such kind.' },
  'kubeconfig-invalid': { exit: 2, summary: 'The kubeconfig cannot be read.' },
  'kubeconfig-missing': { exit: 2, summary: 'No kubeconfig was found, and bylaw is not running in a Pod.' },
  'namespace-unknown': { exit: 2, summary: 'The cluster has no such namespace.' },
  'no-access-objects': { exit: 2, summary: 'The input contains no roles and no bindings.' },
  'no-policy': { exit: 2, summary: 'A rule cannot be exported as a ValidatingAdmissionPolicy.' },
  'not-an-api-server': { exit: 2, summary: 'The server at this address is not a Kubernetes API server.' },
  'resource-unknown': { exit: 2, summary: 'Kubernetes has no resource of this name, and it has no API group.' },
});

export type K8sErrorCode = keyof typeof K8S_ERRORS;

/** An error of the table. */
export const k8sError = errorsOf(K8S_ERRORS);
