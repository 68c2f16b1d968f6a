import { print, printJson, writeFileWhole } from '@bylaw/core/command/output';
import { stringify } from 'yaml';

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

/** The same objects, the same bytes. */
export function yamlOf(objects: readonly object[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n');
}

function listOf(items: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}
