import { allControls } from './control-list.js';

/**
 * NIST SP 800-190 (September 2017), section 4: the countermeasures. The numbers are those of `metadata/nist_800_190.go` in stackrox/stackrox (2e5aa276);
 * section 4.6 has no subsections. The headings are a work of the United States government, public domain.
 */
export const NIST_800_190 = allControls(`
4.1.1 Image vulnerabilities
4.1.2 Image configuration defects
4.1.3 Embedded malware
4.1.4 Embedded clear text secrets
4.1.5 Use of untrusted images
4.2.1 Insecure connections to registries
4.2.2 Stale images in registries
4.2.3 Insufficient authentication and authorization restrictions
4.3.1 Unbounded administrative access
4.3.2 Unauthorized access
4.3.3 Poorly separated inter-container network traffic
4.3.4 Mixing of workload sensitivity levels
4.3.5 Orchestrator node trust
4.4.1 Vulnerabilities within the runtime software
4.4.2 Unbounded network access from containers
4.4.3 Insecure container runtime configurations
4.4.4 App vulnerabilities
4.4.5 Rogue containers
4.5.1 Large attack surface
4.5.2 Shared kernel
4.5.3 Host OS component vulnerabilities
4.5.4 Improper user access rights
4.5.5 Host file system tampering
4.6 Hardware countermeasures
`);
