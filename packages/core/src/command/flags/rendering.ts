import { Flags } from '@oclif/core';

const group = { helpGroup: 'RENDERING' } as const;
const several = { ...group, multiple: true, multipleNonGreedy: true } as const;

/** How charts and kustomizations are rendered. Those that `helm` has carry its names. */
export const rendering = {
  'no-render': Flags.boolean({
    description: 'Render no Helm charts and kustomizations: a chart is then an error, and a kustomization is read file by file.',
  }),
  'render-network': Flags.boolean({ ...group, description: 'Let rendering use the network, as for the remote bases of kustomizations.' }),
  'helm-values': Flags.string({
    description: 'File of values for the charts. May be given more than once.',
    helpValue: 'FILE',
    ...several,
  }),
  'helm-set': Flags.string({ description: 'Single value for the charts, as helm --set takes it.', helpValue: 'KEY=VALUE', ...several }),
  'helm-set-string': Flags.string({ description: 'The same, always as text.', helpValue: 'KEY=VALUE', ...several }),
  'helm-release': Flags.string({ ...group, description: 'Name of the release. [default: release-name]', helpValue: 'NAME' }),
  'helm-kube-version': Flags.string({
    ...group,
    description: 'Version of Kubernetes that the charts are rendered for.',
    helpValue: 'VERSION',
  }),
  'helm-api-versions': Flags.string({
    description: 'API that the charts may expect of the cluster, such as monitoring.coreos.com/v1. May be given more than once.',
    helpValue: 'API',
    ...several,
  }),
};
