import type { ServedKind } from '../cluster.js';
import { asList, asMapping, asText, type JsonMapping } from '../json.js';
import { reasonOf } from '../status.js';
import type { Transport } from '../transport/index.js';
import type { GroupVersion } from './document.js';

/** A group that fails does so for everybody, and for long; the others should not wait for it. */
const TRIES = 2;

/** What servers before aggregated discovery tell: one document for each version of each group. */
export async function legacyDiscovery(transport: Transport, root: JsonMapping): Promise<GroupVersion[]> {
  return Promise.all(
    versionsOf(root).map(async ({ group, version, path }) => {
      const answer = await transport.get(path, { tries: TRIES });
      const document = answer.status === 200 && answer.form === 'json' ? asMapping(answer.value) : undefined;
      const resources = document
        ? asList(document.resources).flatMap((resource) => servedKind(group, version, asMapping(resource) ?? {}))
        : { failed: reasonOf(answer) };
      return { group, version, resources };
    }),
  );
}

/** Of an `APIVersions` or an `APIGroupList`, in each group the preferred one first. */
function versionsOf(root: JsonMapping): { group: string; version: string; path: string }[] {
  const core = asList(root.versions).filter((version) => typeof version === 'string');
  const groups = asList(root.groups).flatMap((item) => {
    const entry = asMapping(item);
    const group = asText(entry?.name);
    const preferred = asText(asMapping(entry?.preferredVersion)?.version);
    const all = asList(entry?.versions).flatMap((version) => asText(asMapping(version)?.version) ?? []);
    const versions = new Set([...(preferred === undefined ? [] : [preferred]), ...all]);
    return group === undefined
      ? []
      : [...versions].map((version) => ({ group, version, path: `/apis/${pathPart(group)}/${pathPart(version)}` }));
  });
  return [...core.map((version) => ({ group: '', version, path: `/api/${pathPart(version)}` })), ...groups];
}

function pathPart(name: string): string {
  return encodeURIComponent(name);
}

/** A name with a slash is a subresource. */
function servedKind(group: string, version: string, { name, kind, namespaced, verbs }: JsonMapping): ServedKind[] {
  if (typeof name !== 'string' || name.includes('/') || typeof kind !== 'string') return [];
  return [
    {
      group,
      version,
      kind,
      resource: name,
      namespaced: namespaced === true,
      verbs: asList(verbs).filter((verb) => typeof verb === 'string'),
    },
  ];
}
