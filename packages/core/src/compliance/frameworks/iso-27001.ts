import { allControls } from './control-list.js';

/**
 * ISO/IEC 27001:2022, Annex A: 93 controls, 37 organizational (5), 8 of people (6), 14 physical (7) and 34 technological (8). The numbers are those of
 * `iso27001_2022_aws.json` in Prowler 5.13.0, which lacks A.8.28. The titles are ours: the texts of ISO are not free.
 */
export const ISO_27001_2022 = allControls(`
A.5.1 Security policies
A.5.2 Assigned security responsibilities
A.5.3 Conflicting duties separated
A.5.4 Duties of managers
A.5.5 Contacts at authorities
A.5.6 Contacts with expert groups
A.5.7 Information about threats
A.5.8 Security in projects
A.5.9 Inventory of assets
A.5.10 Rules for using assets
A.5.11 Assets returned
A.5.12 Information classified
A.5.13 Information labelled
A.5.14 Transfer of information
A.5.15 Access rules
A.5.16 Life cycle of identities
A.5.17 Passwords, keys and other credentials
A.5.18 Access granted, reviewed and removed
A.5.19 Security in dealings with suppliers
A.5.20 Security in supplier contracts
A.5.21 Software and hardware supply chain
A.5.22 Suppliers monitored and reviewed
A.5.23 Use of cloud services
A.5.24 Preparation for incidents
A.5.25 Security events assessed
A.5.26 Incident response
A.5.27 Lessons from incidents
A.5.28 Evidence collected and preserved
A.5.29 Security while operations are disrupted
A.5.30 Technology prepared for business continuity
A.5.31 Legal and contractual obligations
A.5.32 Intellectual property
A.5.33 Records protected
A.5.34 Personal data protected
A.5.35 Independent review
A.5.36 Internal policies and standards followed
A.5.37 Written operating procedures
A.6.1 Background checks
A.6.2 Security in employment contracts
A.6.3 Awareness and training
A.6.4 Disciplinary rules
A.6.5 Obligations after leaving
A.6.6 Confidentiality agreements
A.6.7 Work outside the office
A.6.8 Security events reported by staff
A.7.1 Site perimeters
A.7.2 Site access
A.7.3 Offices and rooms
A.7.4 Sites monitored
A.7.5 Fire, flood and other physical threats
A.7.6 Work in secure areas
A.7.7 Clear desks and screens
A.7.8 Placement of equipment
A.7.9 Off-site equipment
A.7.10 Storage media
A.7.11 Power and other utilities
A.7.12 Cabling
A.7.13 Maintenance of equipment
A.7.14 Disposal and reuse of equipment
A.8.1 User devices
A.8.2 Privileged access
A.8.3 Restricted access to information
A.8.4 Access to source code
A.8.5 Strong authentication
A.8.6 Capacity planning
A.8.7 Malware protection
A.8.8 Technical vulnerabilities
A.8.9 Managed configurations
A.8.10 Deletion of information
A.8.11 Masked data
A.8.12 Prevention of data leaks
A.8.13 Backups
A.8.14 Redundancy
A.8.15 Logs
A.8.16 Systems monitored for anomalies
A.8.17 Synchronised clocks
A.8.18 Privileged utility programs
A.8.19 Installing software on production systems
A.8.20 Secure networks
A.8.21 Secure network services
A.8.22 Separated networks
A.8.23 Filtered access to websites
A.8.24 Cryptography
A.8.25 Secure development process
A.8.26 Security requirements for applications
A.8.27 Secure architecture
A.8.28 Secure coding
A.8.29 Security tests
A.8.30 Development by third parties
A.8.31 Development, test and production separated
A.8.32 Controlled changes
A.8.33 Test data
A.8.34 Systems protected during audits
`);
