import { readFile } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import { readYamlFile } from '@bylaw/core/yaml-file';
import type { ApproverList, TrustedApprover } from '../../evidence/index.js';
import { isJsonObject, type Json } from '../../json/index.js';

/** Characters of a list: thousands of approvers. */
const MOST = 1024 * 1024;

/**
 * Reads a list of approvers (YAML or JSON): a list of entries as `approvers` of the configuration has them, or an object with that
 * member, such as a configuration, whose `approvals.allow_unsigned` then counts too.
 * @throws {TypeError} when the file is not such a list; the message names the file and quotes nothing
 */
export async function readApproverList(path: string): Promise<ApproverList> {
  const text = await readFile(path, 'utf8');
  if (text.length > MOST) throw new TypeError(`${path} is too large for a list of approvers.`);
  const document = parsedFile(path, text);
  const entries = Array.isArray(document) ? document : isJsonObject(document) ? document['approvers'] : undefined;
  if (!Array.isArray(entries) || !entries.every(isApprover))
    throw new TypeError(`${path} must contain a list of approvers, each with id, public_key, and groups.`);
  const approvals = isJsonObject(document) ? document['approvals'] : undefined;
  return { approvers: entries, allowUnsigned: isJsonObject(approvals) && approvals['allow_unsigned'] === true };
}

function parsedFile(path: string, text: string): Json | undefined {
  try {
    // Of a file that holds what JSON holds; all else is refused below.
    return readYamlFile(path, text, 'config-invalid').value as Json;
  } catch (error) {
    if (error instanceof BylawError) throw new TypeError(`${path} is not valid YAML or JSON.`, { cause: error });
    throw error;
  }
}

/** The key has the only text that 32 bytes have. */
const KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function isApprover(entry: Json): entry is Json & TrustedApprover {
  if (!isJsonObject(entry)) return false;
  const { id, public_key: key, groups, principals = [] } = entry;
  return typeof id === 'string' && typeof key === 'string' && KEY.test(key) && isTexts(groups) && isTexts(principals);
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && (value as readonly Json[]).every((text) => typeof text === 'string');
}
