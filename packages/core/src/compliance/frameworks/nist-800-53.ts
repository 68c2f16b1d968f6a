import type { Control, ControlList } from './control-list.js';

/**
 * NIST SP 800-53 Rev. 5, release 5.2.0 (27 August 2025), without what is withdrawn: by family, each control with its enhancements in parentheses.
 * The numbers were read from the references to Revision 5 in the Control Correlation Identifiers of DISA (list of 7 June 2023), and corrected where that list
 * errs: AU-16(3), IR-7(1) and PM-30(1) are missing in it, and SI-7(13) is withdrawn. That gives the 298 controls and 709 enhancements of the publication of
 * 2020. Release 5.1.1 added IA-13 and its three enhancements; release 5.2.0 added SA-15(13), SA-24 and SI-2(7).
 */
const FAMILIES: { readonly [family: string]: string } = {
  AC: '1 2(1 2 3 4 5 6 7 8 9 11 12 13) 3(2 3 4 5 7 8 9 10 11 12 13 14 15) 4(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 17 19 20 21 22 23 24 25 26 27 28 29 30 31 32) 5 6(1 2 3 4 5 6 7 8 9 10) 7(2 3 4) 8 9(1 2 3 4) 10 11(1) 12(1 2 3) 14 16(1 2 3 4 5 6 7 8 9 10) 17(1 2 3 4 6 9 10) 18(1 3 4 5) 19(4 5) 20(1 2 3 4 5) 21(1 2) 22 23 24(1 2) 25',
  AT: '1 2(1 2 3 4 5 6) 3(1 2 3 5) 4 6',
  AU: '1 2 3(1 3) 4(1) 5(1 2 3 4 5) 6(1 3 4 5 6 7 8 9) 7(1) 8 9(1 2 3 4 5 6 7) 10(1 2 3 4) 11(1) 12(1 2 3 4) 13(1 2 3) 14(1 3) 16(1 2 3)',
  CA: '1 2(1 2 3) 3(6 7) 5(1) 6(1 2) 7(1 3 4 5 6) 8(1 2 3) 9(1)',
  CM: '1 2(2 3 6 7) 3(1 2 3 4 5 6 7 8) 4(1 2) 5(1 4 5 6) 6(1 2) 7(1 2 3 4 5 6 7 8 9) 8(1 2 3 4 6 7 8 9) 9(1) 10(1) 11(2 3) 12(1) 13 14',
  CP: '1 2(1 2 3 5 6 7 8) 3(1 2) 4(1 2 3 4 5) 6(1 2 3) 7(1 2 3 4 6) 8(1 2 3 4 5) 9(1 2 3 5 6 7 8) 10(2 4 6) 11 12 13',
  IA: '1 2(1 2 5 6 8 10 12 13) 3(1 3 4) 4(1 4 5 6 8 9) 5(1 2 5 6 7 8 9 10 12 13 14 15 16 17 18) 6 7 8(1 2 4 5 6) 9 10 11 12(1 2 3 4 5 6) 13(1 2 3)',
  IR: '1 2(1 2 3) 3(1 2 3) 4(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) 5(1) 6(1 2 3) 7(1 2) 8(1) 9(2 3 4)',
  MA: '1 2(2) 3(1 2 3 4 5 6) 4(1 3 4 5 6 7) 5(1 2 3 4 5) 6(1 2 3) 7',
  MP: '1 2 3 4(2) 5(3) 6(1 2 3 7 8) 7(2) 8(1 2 3 4)',
  PE: '1 2(1 2 3) 3(1 2 3 4 5 7 8) 4 5(2) 6(1 2 3 4) 8(1 3) 9(1 2) 10 11(1 2) 12(1) 13(1 2 4) 14(1 2) 15(1) 16 17 18 19(1) 20 21 22 23',
  PL: '1 2 4(1) 7 8(1 2) 9 10 11',
  PM: '1 2 3 4 5(1) 6 7(1) 8 9 10 11 12 13 14 15 16(1) 17 18 19 20(1) 21 22 23 24 25 26 27 28 29 30(1) 31 32',
  PS: '1 2 3(1 2 3 4) 4(1 2) 5 6(2 3) 7 8 9',
  PT: '1 2(1 2) 3(1 2) 4(1 2 3) 5(1 2) 6(1 2) 7(1 2) 8',
  RA: '1 2(1) 3(1 2 3 4) 5(2 3 4 5 6 8 10 11) 6 7 8 9 10',
  SA: '1 2 3(1 2 3) 4(1 2 3 5 6 7 8 9 10 11 12) 5 8(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33) 9(1 2 3 4 5 6 7 8) 10(1 2 3 4 5 6 7) 11(1 2 3 4 5 6 7 8 9) 15(1 2 3 5 6 7 8 10 11 12 13) 16 17(1 2 3 4 5 6 7 8 9) 20 21 22 23 24',
  SC: '1 2(1 2) 3(1 2 3 4 5) 4(2) 5(1 2 3) 6 7(3 4 5 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29) 8(1 2 3 4 5) 10 11(1) 12(1 2 3 6) 13 15(1 3 4) 16(1 2 3) 17 18(1 2 3 4 5) 20(2) 21 22 23(1 3 5) 24 25 26 27 28(1 2 3) 29(1) 30(2 3 4 5) 31(1 2 3) 32(1) 34(1 2) 35 36(1 2) 37(1) 38 39(1 2) 40(1 2 3 4) 41 42(1 2 4 5) 43 44 45(1 2) 46 47 48(1) 49 50 51',
  SI: '1 2(2 3 4 5 6 7) 3(4 6 8 10) 4(1 2 3 4 5 7 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25) 5(1) 6(2 3) 7(1 2 3 5 6 7 8 9 10 12 15 16 17) 8(2 3) 10(1 2 3 4 5 6) 11 12(1 2 3) 13(1 3 4 5) 14(1 2 3) 15 16 17 18(1 2 3 4 5) 19(1 2 3 4 5 6 7 8) 20 21 22 23',
  SR: '1 2(1) 3(1 2 3) 4(1 2 3 4) 5(1 2) 6(1) 7 8 9(1) 10 11(1 2 3) 12',
};

/** Names of those that rules cite, or are likely to. They are a work of the United States government, public domain. */
const TITLES: { readonly [id: string]: string } = {
  'AC-2': 'Account Management',
  'AC-3': 'Access Enforcement',
  'AC-3(3)': 'Access Enforcement: Mandatory Access Control',
  'AC-4': 'Information Flow Enforcement',
  'AC-5': 'Separation of Duties',
  'AC-6': 'Least Privilege',
  'AC-6(5)': 'Least Privilege: Privileged Accounts',
  'AC-6(10)': 'Least Privilege: Prohibit Non-privileged Users from Executing Privileged Functions',
  'AC-12': 'Session Termination',
  'AC-14': 'Permitted Actions Without Identification or Authentication',
  'AC-17': 'Remote Access',
  'AU-2': 'Event Logging',
  'AU-3': 'Content of Audit Records',
  'AU-4': 'Audit Log Storage Capacity',
  'AU-5': 'Response to Audit Logging Process Failures',
  'AU-9': 'Protection of Audit Information',
  'AU-10': 'Non-repudiation',
  'AU-11': 'Audit Record Retention',
  'AU-12': 'Audit Record Generation',
  'CM-2': 'Baseline Configuration',
  'CM-3': 'Configuration Change Control',
  'CM-5': 'Access Restrictions for Change',
  'CM-6': 'Configuration Settings',
  'CM-7': 'Least Functionality',
  'CM-8': 'System Component Inventory',
  'CM-14': 'Signed Components',
  'CP-9': 'System Backup',
  'CP-10': 'System Recovery and Reconstitution',
  'IA-2': 'Identification and Authentication (Organizational Users)',
  'IA-3': 'Device Identification and Authentication',
  'IA-5': 'Authenticator Management',
  'IA-5(7)': 'Authenticator Management: No Embedded Unencrypted Static Authenticators',
  'IA-8': 'Identification and Authentication (Non-organizational Users)',
  'IA-9': 'Service Identification and Authentication',
  'IR-4': 'Incident Handling',
  'RA-5': 'Vulnerability Monitoring and Scanning',
  'SA-11': 'Developer Testing and Evaluation',
  'SA-22': 'Unsupported System Components',
  'SC-2': 'Separation of System and User Functionality',
  'SC-5': 'Denial-of-service Protection',
  'SC-6': 'Resource Availability',
  'SC-7': 'Boundary Protection',
  'SC-7(5)': 'Boundary Protection: Deny by Default, Allow by Exception',
  'SC-8': 'Transmission Confidentiality and Integrity',
  'SC-8(1)': 'Transmission Confidentiality and Integrity: Cryptographic Protection',
  'SC-12': 'Cryptographic Key Establishment and Management',
  'SC-13': 'Cryptographic Protection',
  'SC-17': 'Public Key Infrastructure Certificates',
  'SC-20': 'Secure Name/Address Resolution Service (Authoritative Source)',
  'SC-21': 'Secure Name/Address Resolution Service (Recursive or Caching Resolver)',
  'SC-23': 'Session Authenticity',
  'SC-24': 'Fail in Known State',
  'SC-28': 'Protection of Information at Rest',
  'SC-39': 'Process Isolation',
  'SI-2': 'Flaw Remediation',
  'SI-4': 'System Monitoring',
  'SI-7': 'Software, Firmware, and Information Integrity',
  'SI-10': 'Information Input Validation',
  'SI-11': 'Error Handling',
  'SR-3': 'Supply Chain Controls and Processes',
  'SR-4': 'Provenance',
};

export const NIST_800_53: ControlList = {
  controls: Object.entries(FAMILIES).flatMap(
    ([family, numbers]) => numbers.match(/\d+(\([\d ]+\))?/g)?.flatMap((text) => controlsOf(family, text)) ?? [],
  ),
  complete: true,
};

/** `AC-2`, `AC-2(1)`, … of `2(1 …)`. */
function controlsOf(family: string, text: string): Control[] {
  const [number = '', ...enhancements] = text.match(/\d+/g) ?? [];
  const id = `${family}-${number}`;
  return [id, ...enhancements.map((enhancement) => `${id}(${enhancement})`)].map((one) => {
    const title = Object.hasOwn(TITLES, one) ? TITLES[one] : undefined;
    return title === undefined ? { id: one } : { id: one, title };
  });
}
