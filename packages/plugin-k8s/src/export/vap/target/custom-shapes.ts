import type { ObjectType, Type } from '../term/type.js';

const TEXTS: Type = { type: 'list', item: { type: 'string' } };

function open(fields: { readonly [name: string]: Type }): ObjectType {
  return { type: 'object', fields: new Map(Object.entries(fields)), open: true };
}

/**
 * Fields of custom resources whose type a translation must know: `leaves` of a list of texts are its items. From the definitions (CRDs) of
 * the projects: argo-cd 3.4 `manifests/crds/appproject-crd.yaml`, gatekeeper-library `library/general/allowedrepos`.
 */
const SPECS: ReadonlyMap<string, ObjectType> = new Map([
  ['argoproj.io/AppProject', open({ sourceRepos: TEXTS })],
  ['constraints.gatekeeper.sh/K8sAllowedRepos', open({ parameters: open({ repos: TEXTS }) })],
]);

export function fieldsOfCustomResource(kind: string): ObjectType['fields'] {
  const spec = SPECS.get(kind);
  return new Map(spec ? [['spec', spec]] : []);
}
