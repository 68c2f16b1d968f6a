import { CIS_K8S_1_6, CIS_K8S_1_10, CIS_K8S_1_12 } from './cis-k8s.js';
import type { ControlList } from './control-list.js';
import { ISO_27001_2022 } from './iso-27001.js';
import { MITRE_ATTACK } from './mitre-attack.js';
import { NIST_800_53 } from './nist-800-53.js';
import { NIST_800_190 } from './nist-800-190.js';
import { OWASP_K8S, OWASP_LLM_2025 } from './owasp.js';
import { PCI_DSS_4_0 } from './pci-dss.js';
import { PSS } from './pss.js';
import { SLSA_1_0 } from './slsa.js';
import { SOC2 } from './soc2.js';

export type { Control, ControlList } from './control-list.js';

/** What is known of the controls of a framework, by its name with its version, as rules cite it. */
const CONTROL_LISTS: ReadonlyMap<string, ControlList> = new Map([
  ['CIS-K8S-1.6', CIS_K8S_1_6],
  ['CIS-K8S-1.10', CIS_K8S_1_10],
  ['CIS-K8S-1.12', CIS_K8S_1_12],
  ['ISO-27001', ISO_27001_2022],
  ['MITRE-ATTACK', MITRE_ATTACK],
  ['NIST-800-190', NIST_800_190],
  ['NIST-800-53', NIST_800_53],
  ['OWASP-K8S', OWASP_K8S],
  ['OWASP-LLM-2025', OWASP_LLM_2025],
  ['PCI-DSS-4.0', PCI_DSS_4_0],
  ['PSS', PSS],
  ['SLSA-1.0', SLSA_1_0],
  ['SOC2', SOC2],
]);

const NOTHING_KNOWN: ControlList = { controls: [], complete: false };

/** @param framework name with version, as rules cite it: `CIS-K8S-1.10` */
export function controlListOf(framework: string): ControlList {
  return CONTROL_LISTS.get(framework) ?? NOTHING_KNOWN;
}
