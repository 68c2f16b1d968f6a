/** The name of the resource of a kind, by the conventions of the API, and where a project chose another one, that. */
export function pluralOfKind(kind: string): string {
  const singular = kind.toLowerCase();
  if (ALREADY_PLURAL.has(singular)) return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** Kinds with a plural for a name. Gatekeeper names the resource of a constraint as its kind. */
const ALREADY_PLURAL: ReadonlySet<string> = new Set([
  'endpoints',
  'ingressclassparams',
  'k8sallowedrepos',
  'resourceclaimparameters',
  'resourceclassparameters',
  'securitycontextconstraints',
]);
