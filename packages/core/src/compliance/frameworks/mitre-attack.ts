import { someControls } from './control-list.js';

/**
 * Names of the techniques of MITRE ATT&CK, Enterprise, that rules cite or are likely to. ATT&CK catalogues what adversaries do, not what is to be done about
 * it, and changes every half-year: it gives no denominator. © The MITRE Corporation, reproduced with its permission under the ATT&CK terms of use
 * (https://attack.mitre.org/resources/legal-and-branding/terms-of-use/).
 */
export const MITRE_ATTACK = someControls(`
T1003.008 OS Credential Dumping: /etc/passwd and /etc/shadow
T1014 Rootkit
T1020.001 Automated Exfiltration: Traffic Duplication
T1021.004 Remote Services: SSH
T1048 Exfiltration Over Alternative Protocol
T1053.003 Scheduled Task/Job: Cron
T1055 Process Injection
T1059 Command and Scripting Interpreter
T1068 Exploitation for Privilege Escalation
T1070 Indicator Removal
T1071.004 Application Layer Protocol: DNS
T1078 Valid Accounts
T1078.001 Valid Accounts: Default Accounts
T1078.004 Valid Accounts: Cloud Accounts
T1098 Account Manipulation
T1098.006 Account Manipulation: Additional Container Cluster Roles
T1105 Ingress Tool Transfer
T1133 External Remote Services
T1190 Exploit Public-Facing Application
T1195 Supply Chain Compromise
T1195.002 Supply Chain Compromise: Compromise Software Supply Chain
T1485 Data Destruction
T1496 Resource Hijacking
T1525 Implant Internal Image
T1528 Steal Application Access Token
T1542 Pre-OS Boot
T1543.002 Create or Modify System Process: Systemd Service
T1547.006 Boot or Logon Autostart Execution: Kernel Modules and Extensions
T1548.003 Abuse Elevation Control Mechanism: Sudo and Sudo Caching
T1552 Unsecured Credentials
T1552.001 Unsecured Credentials: Credentials In Files
T1552.004 Unsecured Credentials: Private Keys
T1552.005 Unsecured Credentials: Cloud Instance Metadata API
T1552.007 Unsecured Credentials: Container API
T1557 Adversary-in-the-Middle
T1562.001 Impair Defenses: Disable or Modify Tools
T1565.002 Data Manipulation: Transmitted Data Manipulation
T1572 Protocol Tunneling
T1574 Hijack Execution Flow
T1574.006 Hijack Execution Flow: Dynamic Linker Hijacking
T1609 Container Administration Command
T1610 Deploy Container
T1611 Escape to Host
T1612 Build Image on Host
T1613 Container and Resource Discovery
`);
