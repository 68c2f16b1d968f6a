import { Flags } from '@oclif/core';

const group = { helpGroup: 'RENDERING' } as const;
const several = { ...group, multiple: true, multipleNonGreedy: true } as const;

/** How charts and kustomizations are rendered. Those that `helm` has carry its names. */
export const rendering = {
  'no-render': Flags.boolean({
    description: 'Do not render Helm charts and kustomizations: a chart is then an error, and a kustomization is read file by file.',
  }),
  'render-network': Flags.boolean({
    ...group,
    description: 'Allow rendering to use the network, for example for remote bases of kustomizations.',
  }),
  'helm-values': Flags.string({
    description: 'Values file for the charts. Can be repeated.',
    helpValue: 'FILE',
    ...several,
  }),
  'helm-set': Flags.string({
    description: 'Single value for the charts, in the syntax of helm --set.',
    helpValue: 'KEY=VALUE',
    ...several,
  }),
  'helm-set-string': Flags.string({ description: 'The same, but the value is always a string.', helpValue: 'KEY=VALUE', ...several }),
  'helm-release': Flags.string({ ...group, description: 'Name of the Helm release. [default: release-name]', helpValue: 'NAME' }),
  'helm-kube-version': Flags.string({
    ...group,
    description: 'Kubernetes version to render the charts for.',
    helpValue: 'VERSION',
  }),
  'helm-api-versions': Flags.string({
    description: 'API that the charts can expect in the cluster, such as monitoring.coreos.com/v1. Can be repeated.',
    helpValue: 'API',
    ...several,
  }),
};
