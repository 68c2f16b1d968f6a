import { relative } from 'node:path';
import { shellText } from '../../run/index.js';
import { INIT_FILES } from './init-files.js';
import type { InitiatedGate } from './init-gate.js';

/** What was made, as JSON. */
export function madeJson({ folder, entry, approver, approverKeyFile, verifierKey }: InitiatedGate): object {
  return { folder, ...entry, approver, approver_key_file: approverKeyFile, verifier_key: verifierKey };
}

/** What was made, for people. */
export function madeText({ folder, entry, approver, approverKeyFile, verifierKey }: InitiatedGate): string {
  const rows = [
    [INIT_FILES.config, `the adapter ${entry.adapter_id} and the approver ${approver}`],
    [`${INIT_FILES.bundle}/`, 'policies to start from, with their tests'],
    [INIT_FILES.proposal, 'a proposal that the policies deny'],
    [relative(folder, approverKeyFile), `the private key of ${approver}: move it to where only ${approver} can read it`],
    ['.bylaw/', 'the signing key and the evidence: make backups, and keep agents out'],
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return [
    `Created in ${folder}:`,
    ...rows.map(([name = '', text]) => `  ${name.padEnd(width)}  ${text}`),
    'Verifiers need this public key:',
    `  ${verifierKey}`,
  ].join('\n');
}

/**
 * The three commands that lead to the first denied action, as a POSIX shell takes them.
 * @param secret undefined: it goes elsewhere, and the first command asks for it
 * @param cwd where the commands will be run
 */
export function nextCommands({ folder, entry }: InitiatedGate, secret: string | undefined, cwd: string): string[] {
  const enter = folder === cwd ? '' : `cd ${shellText([folder])} && `;
  const id = `SVC_ADAPTER_ID=${entry.adapter_id}`;
  const set =
    secret === undefined ? `read -r ${entry.secret_env} && export ${id} ${entry.secret_env}` : `export ${id} ${entry.secret_env}=${secret}`;
  return [`${enter}${set}`, 'bylaw serve &', `bylaw propose ${INIT_FILES.proposal}`];
}
