import { print, printJson, writeFileWhole } from '@bylaw/core/command/output';
import { Document, isScalar, visit } from 'yaml';

/** Prints objects as kubectl takes them: YAML documents, or with `--json` one List; with `--output` into a file. */
export async function printManifests(
  objects: readonly object[],
  { json, output }: { json: boolean; output?: string | undefined },
): Promise<void> {
  if (output !== undefined)
    await writeFileWhole(output, async (out) => out.write(json ? `${JSON.stringify(listOf(objects))}\n` : yamlOf(objects)));
  else if (json) await printJson(listOf(objects));
  else await print(yamlOf(objects));
}

/** The same objects, the same bytes. Short lists of texts are on one line. */
export function yamlOf(objects: readonly object[]): string {
  return objects.map(documentOf).join('---\n');
}

function documentOf(object: object): string {
  const document = new Document(object, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.length <= SHORT && list.items.every(isScalar);
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

const SHORT = 3;

function listOf(items: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}
