import { allControls } from './control-list.js';

/**
 * AICPA trust services criteria of 2017 (points of focus revised in 2022): 33 common criteria and those of availability (3), confidentiality (2),
 * processing integrity (5) and privacy (18), 61 in all. The titles are ours: the texts of the AICPA are not free.
 */
export const SOC2 = allControls(`
CC1.1 Integrity and ethical values
CC1.2 Oversight by the board
CC1.3 Structures, reporting lines and authority
CC1.4 Competent staff
CC1.5 Accountability
CC2.1 Quality of information
CC2.2 Internal communication
CC2.3 External communication
CC3.1 Clear objectives
CC3.2 Risks identified and analysed
CC3.3 Fraud considered
CC3.4 Changes assessed
CC4.1 Controls evaluated
CC4.2 Deficiencies reported and corrected
CC5.1 Controls selected to reduce risks
CC5.2 General technology controls
CC5.3 Policies and procedures
CC6.1 Logical access protection
CC6.2 Users registered and removed
CC6.3 Access by role and least privilege
CC6.4 Physical access
CC6.5 Disposal of assets
CC6.6 Protection against external threats
CC6.7 Data protected in transit and during removal
CC6.8 Protection against unauthorised software
CC7.1 Detection of configuration changes and vulnerabilities
CC7.2 Monitoring for anomalies
CC7.3 Evaluation of security events
CC7.4 Response to incidents
CC7.5 Recovery from incidents
CC8.1 Change management
CC9.1 Mitigation of business disruption
CC9.2 Vendor and partner management
A1.1 Capacity
A1.2 Environment, backup and recovery infrastructure
A1.3 Recovery tests
C1.1 Confidential information identified and protected
C1.2 Disposal of confidential information
PI1.1 Definitions of the data processed
PI1.2 Inputs
PI1.3 Processing
PI1.4 Outputs
PI1.5 Storage
P1.1 Privacy notice
P2.1 Choice and consent
P3.1 Collection limited to the objectives
P3.2 Explicit consent to collection
P4.1 Use limited to the purposes
P4.2 Retention
P4.3 Disposal
P5.1 Access for data subjects
P5.2 Correction
P6.1 Disclosure to third parties with consent
P6.2 Record of authorised disclosures
P6.3 Record of unauthorised disclosures
P6.4 Privacy commitments of vendors
P6.5 Vendors report unauthorised disclosures
P6.6 Notification of breaches
P6.7 Report of data held and disclosed
P7.1 Accuracy of personal information
P8.1 Complaints and privacy monitoring
`);
