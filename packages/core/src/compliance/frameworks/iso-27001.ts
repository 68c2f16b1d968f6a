import { allControls } from './control-list.js';

/**
 * ISO/IEC 27001:2022, Annex A: 93 controls, 37 organizational (5), 8 of people (6), 14 physical (7) and 34 technological (8). The numbers are those of
 * `iso27001_2022_aws.json` in Prowler 5.13.0, which lacks A.8.28. The titles are ours: the texts of ISO are not free.
 */
export const ISO_27001_2022 = allControls(`
A.5.1 Security policies
A.5.2 Responsibilities for security
A.5.3 Conflicting duties separated
A.5.4 Duties of managers
A.5.5 Contacts at authorities
A.5.6 Contacts in expert groups
A.5.7 Knowledge about threats
A.5.8 Security in projects
A.5.9 Inventory of assets
A.5.10 Rules for the use of assets
A.5.11 Assets returned
A.5.12 Information classified
A.5.13 Labels for information
A.5.14 Transfer of information
A.5.15 Rules of access
A.5.16 Life cycle of identities
A.5.17 Passwords, keys and other credentials
A.5.18 Rights of access granted, reviewed and removed
A.5.19 Security with suppliers
A.5.20 Security in contracts with suppliers
A.5.21 Supply chain of software and hardware
A.5.22 Suppliers monitored and reviewed
A.5.23 Use of cloud services
A.5.24 Preparation for incidents
A.5.25 Events assessed
A.5.26 Incidents handled
A.5.27 Lessons from incidents
A.5.28 Evidence collected
A.5.29 Security during a disruption
A.5.30 Technology ready for continuity
A.5.31 Legal and contractual duties
A.5.32 Intellectual property
A.5.33 Records protected
A.5.34 Personal data protected
A.5.35 Independent review
A.5.36 Internal policies and standards followed
A.5.37 Operating procedures written down
A.6.1 Background checks
A.6.2 Security in employment contracts
A.6.3 Awareness and training
A.6.4 Disciplinary rules
A.6.5 Duties after leaving
A.6.6 Confidentiality agreements
A.6.7 Work outside the office
A.6.8 Events reported by people
A.7.1 Perimeters of sites
A.7.2 Entry to sites
A.7.3 Offices and rooms
A.7.4 Sites monitored
A.7.5 Fire, flood and other threats to sites
A.7.6 Work in secure areas
A.7.7 Desks and screens kept clear
A.7.8 Placement of equipment
A.7.9 Equipment away from the site
A.7.10 Storage media
A.7.11 Power and other utilities
A.7.12 Cables
A.7.13 Maintenance of equipment
A.7.14 Disposal and reuse of equipment
A.8.1 Devices of users
A.8.2 Privileged rights
A.8.3 Access to information restricted
A.8.4 Access to source code
A.8.5 Strong authentication
A.8.6 Capacity
A.8.7 Malware
A.8.8 Technical vulnerabilities
A.8.9 Configurations managed
A.8.10 Information deleted
A.8.11 Data masked
A.8.12 Data leaks prevented
A.8.13 Backups
A.8.14 Redundancy
A.8.15 Logs
A.8.16 Systems monitored for anomalies
A.8.17 Clocks synchronised
A.8.18 Privileged utility programs
A.8.19 Software installed on production systems
A.8.20 Networks secured
A.8.21 Network services secured
A.8.22 Networks separated
A.8.23 Access to websites filtered
A.8.24 Cryptography
A.8.25 Secure development process
A.8.26 Security requirements of applications
A.8.27 Secure architecture
A.8.28 Secure coding
A.8.29 Security tests
A.8.30 Development by others
A.8.31 Development, test and production separated
A.8.32 Changes managed
A.8.33 Test data
A.8.34 Systems protected during audits
`);
