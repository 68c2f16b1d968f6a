import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../evaluate/index.js';
import { type Extraction, parsePointer, type Resource, readDocument, type SourceDocument } from '../resource/index.js';
import { changesBetween, isWithin, type Path } from './change.js';
import { type Fixer, type Frozen, fixResource, type ResourceFix, type Unfixed } from './fix-resource.js';
import { type Blocked, editText } from './text/edit-text.js';

export interface DocumentFix {
  text: string;
  /** Where the Secrets of the document stand; `all` where it holds some, and cannot be read. */
  secrets: readonly Path[] | 'all';
  fixed: readonly Finding[];
  unfixed: readonly Unfixed[];
}

/** The nodes of a larger one would take gigabytes. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Fixes what can be fixed in one document. The new text is read again: if it does not say exactly what it should, the old one stays.
 * @param whyNot why nothing in it is changed; then it is only looked at
 */
export function fixDocument(
  document: SourceDocument,
  options: { explicit: boolean; whyNot?: string | undefined },
  fixer: Fixer,
): DocumentFix {
  const read = readDocument(document, options);
  const whyNot = options.whyNot ?? (document.text.length > MAX_CHARACTERS ? 'its document is larger than 4 MiB' : undefined);
  const secrets = secretsOf(document, read);
  let blocked: Blocked[] = whyNot === undefined ? [] : [{ path: [], reason: whyNot }];
  for (;;) {
    const fixes = read.resources.map((resource) => fixResource(resource, fixer, frozenIn(resource, blocked)));
    const result = (text: string) => ({
      text,
      secrets,
      fixed: fixes.flatMap(({ fixed }) => fixed),
      unfixed: fixes.flatMap(({ unfixed }) => unfixed),
    });
    const changes = read.resources.flatMap((resource, index) =>
      changesBetween(resource.object, fixes[index]?.object ?? resource.object, rootOf(resource)),
    );
    if (changes.length === 0) return result(document.text);
    const edited = editText(document.text, changes);
    if ('blocked' in edited) blocked = blocked.concat(edited.blocked);
    else if (says(readDocument({ ...document, text: edited.text }, options), read, fixes)) return result(edited.text);
    else blocked.push({ path: [], reason: 'its text cannot be changed without changing something else' });
  }
}

function secretsOf({ text }: SourceDocument, { resources, errors }: Extraction): DocumentFix['secrets'] {
  const found = resources.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret').map(rootOf);
  return errors.length > 0 && text.includes('Secret') ? 'all' : found;
}

/** What may not change in a resource, of what may not change in its document. */
function frozenIn(resource: Resource, blocked: readonly Blocked[]): Frozen[] {
  if (resource.terraform) return [{ path: [], reason: 'a Terraform plan is generated from other files' }];
  if (resource.source.embedded) return [{ path: [], reason: 'it is in a text of a ConfigMap' }];
  const root = rootOf(resource);
  return blocked.flatMap(({ path, reason }) => {
    if (isWithin(path, root)) return [{ path: path.slice(root.length), reason }];
    return isWithin(root, path) ? [{ path: [], reason }] : [];
  });
}

function rootOf({ source }: Resource): string[] {
  return parsePointer(source.pointer ?? '');
}

/** Whether a text has the objects that it should have, and the errors and exceptions that it had before. */
function says(now: Extraction, before: Extraction, fixes: readonly ResourceFix[]): boolean {
  return (
    isDeepStrictEqual(
      now.resources.map((resource) => [resource.object, exceptionsOf(resource)]),
      before.resources.map((resource, index) => [fixes[index]?.object, exceptionsOf(resource)]),
    ) &&
    isDeepStrictEqual(
      now.errors.map((error) => [error.code, error.message]),
      before.errors.map((error) => [error.code, error.message]),
    )
  );
}

/** The comments that accept findings, by what they govern. */
function exceptionsOf({ ignoreComments = [] }: Resource) {
  return ignoreComments.map(({ ruleId, reason, pointer }) => [ruleId, reason, pointer]);
}
