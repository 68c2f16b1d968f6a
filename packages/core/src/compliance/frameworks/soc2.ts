import { allControls } from './control-list.js';

/**
 * AICPA trust services criteria of 2017 (points of focus revised in 2022): 33 common criteria and those of availability (3), confidentiality (2),
 * processing integrity (5) and privacy (18), 61 in all. The titles are ours: the texts of the AICPA are not free.
 */
export const SOC2 = allControls(`
CC1.1 Integrity and ethical values
CC1.2 Oversight by the board
CC1.3 Structures, reporting lines and authority
CC1.4 Competent people
CC1.5 Accountability
CC2.1 Information of good quality
CC2.2 Communication inside the organisation
CC2.3 Communication with others
CC3.1 Clear objectives
CC3.2 Risks found and analysed
CC3.3 Fraud considered
CC3.4 Changes assessed
CC4.1 Controls evaluated
CC4.2 Deficiencies reported and corrected
CC5.1 Controls chosen to reduce risks
CC5.2 General controls over technology
CC5.3 Policies and procedures
CC6.1 Logical access protection
CC6.2 Users registered and removed
CC6.3 Access by role and least privilege
CC6.4 Physical access
CC6.5 Disposal of assets
CC6.6 Protection against threats from outside
CC6.7 Protection of data in transfer and removal
CC6.8 Protection against unauthorised software
CC7.1 Detection of configuration changes and vulnerabilities
CC7.2 Monitoring for anomalies
CC7.3 Evaluation of security events
CC7.4 Response to incidents
CC7.5 Recovery from incidents
CC8.1 Management of changes
CC9.1 Mitigation of business disruption
CC9.2 Management of vendors and partners
A1.1 Capacity
A1.2 Environment, backup and recovery infrastructure
A1.3 Test of recovery
C1.1 Confidential information identified and protected
C1.2 Confidential information disposed of
PI1.1 Definitions of the data processed
PI1.2 Inputs
PI1.3 Processing
PI1.4 Outputs
PI1.5 Storage
P1.1 Privacy notice
P2.1 Choice and consent
P3.1 Collection within the objectives
P3.2 Explicit consent to collection
P4.1 Use within the purposes
P4.2 Retention
P4.3 Disposal
P5.1 Access of data subjects
P5.2 Correction
P6.1 Disclosure to third parties with consent
P6.2 Record of authorised disclosures
P6.3 Record of unauthorised disclosures
P6.4 Privacy commitments of vendors
P6.5 Vendors report unauthorised disclosures
P6.6 Notification of breaches
P6.7 Account of information held and disclosed
P7.1 Accuracy of personal information
P8.1 Complaints and monitoring of privacy
`);
