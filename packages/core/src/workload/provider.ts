/** The providers whose machines and regions are known. `on-prem` is a data centre of one's own. */
export const PROVIDERS = ['aws', 'azure', 'gcp', 'on-prem'] as const;
export type Provider = (typeof PROVIDERS)[number];
export type CloudProvider = Exclude<Provider, 'on-prem'>;
