/** The providers whose machines and regions are known. `on-prem` is a data centre of one's own. */
export const PROVIDERS = ['aws', 'azure', 'gcp', 'on-prem'] as const;
export type Provider = (typeof PROVIDERS)[number];
export type CloudProvider = Exclude<Provider, 'on-prem'>;

/** Where workloads run. Manifests do not say it. */
export interface Place {
  provider?: Provider;
  /** As the provider writes it; a zone or country for one's own data centre. */
  region?: string;
  /** Type of the machines that pods run on, unless they ask for another. */
  instance_type?: string;
  /** How many machines there are, for what runs on each of them. */
  nodes?: number;
}

/** What is given goes before what is configured; a region or type of another provider than the one that is given means nothing. */
export function placeWith(given: Place, configured: Place): Place {
  if (given.provider === undefined || given.provider === configured.provider) return { ...configured, ...given };
  return { ...(configured.nodes !== undefined && { nodes: configured.nodes }), ...given };
}
