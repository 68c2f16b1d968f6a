import { allControls } from './control-list.js';

/**
 * SLSA 1.0, build track (https://slsa.dev/spec/v1.0/levels): the levels that ask for something, which level 0 does not. The titles are ours.
 */
export const SLSA_1_0 = allControls(`
BUILD-L1 Provenance exists
BUILD-L2 Provenance is signed by a hosted build platform
BUILD-L3 The build platform is hardened against tampering
`);
