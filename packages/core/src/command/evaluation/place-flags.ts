import { type Place, placeWith } from '../../workload/index.js';

/** Flags of the commands that ask where workloads run. */
export interface PlaceFlags {
  provider?: Place['provider'] | undefined;
  region?: string | undefined;
  'instance-type'?: string | undefined;
  nodes?: number | undefined;
}

/** Where workloads run: the flags, and where they say nothing, the configuration. */
export function placeFromFlags({ provider, region, 'instance-type': type, nodes }: PlaceFlags, configured: Place): Place {
  const given = {
    ...(provider !== undefined && { provider }),
    ...(region !== undefined && { region }),
    ...(type !== undefined && { instance_type: type }),
    ...(nodes !== undefined && { nodes }),
  };
  return placeWith(given, configured);
}
