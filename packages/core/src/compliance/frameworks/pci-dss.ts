import { allControls } from './control-list.js';

/**
 * PCI DSS 4.0: its 205 requirements of the third level, as rules cite them; those of the fourth level (3.3.1.1) are parts of them, and the appendices are
 * for some entities only. The numbers are those of `Breakout/breakout0core.md` in felixatter/PCI-breakout-hosting (825ae26a). The titles are ours: the texts
 * of the PCI Security Standards Council are not free.
 */
export const PCI_DSS_4_0 = allControls(`
1.1.1 Network security: policies and procedures
1.1.2 Network security: roles
1.2.1 Standards for network rule sets
1.2.2 Network changes under change control
1.2.3 Network diagrams
1.2.4 Diagrams of account data flows
1.2.5 Allowed services, protocols and ports
1.2.6 Insecure services in use have safeguards
1.2.7 Network rules reviewed twice a year
1.2.8 Network configuration files protected
1.3.1 Inbound traffic to cardholder data restricted
1.3.2 Outbound traffic from cardholder data restricted
1.3.3 Wireless networks separated
1.4.1 Controls between trusted and untrusted networks
1.4.2 Inbound traffic from untrusted networks restricted
1.4.3 Forged source addresses blocked
1.4.4 Stored cardholder data not reachable from untrusted networks
1.4.5 Internal addresses not disclosed
1.5.1 Devices that join untrusted networks are secured
2.1.1 Secure configuration: policies and procedures
2.1.2 Secure configuration: roles
2.2.1 Configuration standards
2.2.2 Vendor default accounts
2.2.3 Functions with different security levels separated
2.2.4 Only needed services and functions
2.2.5 Insecure services in use have safeguards
2.2.6 Security parameters set against misuse
2.2.7 Remote administration encrypted
2.3.1 Wireless vendor defaults changed
2.3.2 Wireless keys changed
3.1.1 Stored account data: policies and procedures
3.1.2 Stored account data: roles
3.2.1 Little data stored, and no longer than needed
3.3.1 Sensitive authentication data not kept after authorization
3.3.2 Sensitive authentication data encrypted before authorization
3.3.3 Sensitive authentication data at issuers
3.4.1 Card numbers masked on display
3.4.2 Card numbers not copied over remote access
3.5.1 Stored card numbers unreadable
3.6.1 Keys protected against disclosure and misuse
3.7.1 Strong keys generated
3.7.2 Keys distributed securely
3.7.3 Keys stored securely
3.7.4 Keys changed at the end of their period
3.7.5 Keys retired or replaced
3.7.6 Manual key operations under split knowledge
3.7.7 Keys not substituted
3.7.8 Key custodians acknowledge their duties
3.7.9 Guidance on keys for customers of service providers
4.1.1 Transmission: policies and procedures
4.1.2 Transmission: roles
4.2.1 Strong cryptography over open networks
4.2.2 Card numbers in messages encrypted
5.1.1 Malware: policies and procedures
5.1.2 Malware: roles
5.2.1 Malware protection on all systems at risk
5.2.2 Malware protection detects and removes
5.2.3 Systems not at risk are evaluated
5.3.1 Malware protection kept current
5.3.2 Malware scans
5.3.3 Removable media scanned
5.3.4 Logs of malware protection
5.3.5 Malware protection not switched off by users
5.4.1 Protection against phishing
6.1.1 Secure software: policies and procedures
6.1.2 Secure software: roles
6.2.1 In-house software developed securely
6.2.2 Developers trained
6.2.3 In-house software reviewed before release
6.2.4 Common attacks on software prevented
6.3.1 Vulnerabilities found and ranked
6.3.2 Inventory of in-house software and its components
6.3.3 Patches installed
6.4.1 Public web applications protected
6.4.2 Attacks on public web applications detected automatically
6.4.3 Scripts of payment pages managed
6.5.1 Change control
6.5.2 Requirements confirmed after large changes
6.5.3 Pre-production environments separated
6.5.4 Roles in production and pre-production separated
6.5.5 No live card numbers in pre-production
6.5.6 Test data and accounts removed
7.1.1 Access: policies and procedures
7.1.2 Access: roles
7.2.1 Model of access control
7.2.2 Access by job and least privilege
7.2.3 Privileges approved
7.2.4 Accounts of users reviewed
7.2.5 Accounts of applications and systems by least privilege
7.2.6 Access to stores of cardholder data
7.3.1 Access control system in place
7.3.2 Access control system enforces permissions
7.3.3 Access control system denies by default
8.1.1 Authentication: policies and procedures
8.1.2 Authentication: roles
8.2.1 Unique identifiers of users
8.2.2 Shared accounts only by exception
8.2.3 Service providers with access to customers use separate credentials
8.2.4 Life cycle of accounts authorised
8.2.5 Access of former users revoked immediately
8.2.6 Inactive accounts removed
8.2.7 Third-party accounts only when needed
8.2.8 Idle sessions authenticate again
8.3.1 An authentication factor for all access
8.3.2 Authentication factors encrypted
8.3.3 Identity verified before a factor is changed
8.3.4 Lock after failed attempts
8.3.5 First and reset passwords unique
8.3.6 Length and complexity of passwords
8.3.7 Password history
8.3.8 Authentication policies explained to users
8.3.9 Passwords changed if they are the only factor
8.3.10 Guidance on passwords for customers of service providers
8.3.11 Tokens, cards and certificates belong to one user
8.4.1 Multi-factor authentication for administrators
8.4.2 Multi-factor authentication for all access to cardholder data
8.4.3 Multi-factor authentication for remote access
8.5.1 Multi-factor authentication cannot be bypassed
8.6.1 Interactive use of application and system accounts
8.6.2 No passwords of accounts in scripts, files and source code
8.6.3 Passwords of application and system accounts changed and strong
9.1.1 Physical access: policies and procedures
9.1.2 Physical access: roles
9.2.1 Entry to facilities controlled
9.2.2 Public network jacks restricted
9.2.3 Access to network equipment restricted
9.2.4 Consoles locked
9.3.1 Physical access of personnel
9.3.2 Physical access of visitors
9.3.3 Visitor badges returned
9.3.4 Visitor log
9.4.1 Media secured
9.4.2 Media classified
9.4.3 Media sent securely
9.4.4 Moves of media approved
9.4.5 Inventory of media
9.4.6 Printed cardholder data destroyed
9.4.7 Electronic media destroyed
9.5.1 Payment devices protected from tampering
10.1.1 Logging: policies and procedures
10.1.2 Logging: roles
10.2.1 Audit logs enabled
10.2.2 Details of audit log entries
10.3.1 Read access to logs restricted
10.3.2 Logs protected from change
10.3.3 Logs backed up centrally
10.3.4 Changes to logs detected
10.4.1 Daily review of important logs
10.4.2 Periodic review of other logs
10.4.3 Anomalies in logs addressed
10.5.1 Logs kept for twelve months
10.6.1 Clocks synchronised
10.6.2 Consistent time settings
10.6.3 Time settings protected
10.7.1 Failures of security systems detected (service providers)
10.7.2 Failures of security systems detected
10.7.3 Failures of security systems responded to
11.1.1 Tests: policies and procedures
11.1.2 Tests: roles
11.2.1 Wireless access points detected
11.2.2 Inventory of wireless access points
11.3.1 Internal vulnerability scans
11.3.2 External vulnerability scans
11.4.1 Method of penetration tests
11.4.2 Internal penetration tests
11.4.3 External penetration tests
11.4.4 Weaknesses found by penetration tests corrected
11.4.5 Segmentation tested
11.4.6 Segmentation tested by service providers
11.4.7 Penetration tests of customers supported
11.5.1 Intrusions detected
11.5.2 Changes to files detected
11.6.1 Changes to payment pages detected
12.1.1 Security policy
12.1.2 Security policy reviewed yearly
12.1.3 Security roles and duties
12.1.4 An executive is responsible for security
12.2.1 Rules for the use of devices and technologies
12.3.1 Targeted risk analysis
12.3.2 Risk analysis for each customized approach
12.3.3 Ciphers and protocols reviewed
12.3.4 Hardware and software reviewed
12.4.1 Executives of service providers responsible
12.4.2 Reviews that tasks are done (service providers)
12.5.1 Inventory of systems in scope
12.5.2 Scope documented and confirmed
12.5.3 Organisational changes reviewed (service providers)
12.6.1 Security awareness programme
12.6.2 Awareness programme reviewed
12.6.3 Awareness training
12.7.1 Personnel screened
12.8.1 List of third-party service providers
12.8.2 Agreements with service providers
12.8.3 Service providers engaged with due diligence
12.8.4 Compliance of service providers monitored
12.8.5 Shared duties with service providers
12.9.1 Service providers acknowledge their duties
12.9.2 Service providers inform customers
12.10.1 Incident response plan
12.10.2 Incident response plan reviewed and tested
12.10.3 Incident responders available at any time
12.10.4 Incident responders trained
12.10.5 Alerts that the incident response plan covers
12.10.6 Incident response plan improved
12.10.7 Response to stored card numbers in unexpected places
`);
