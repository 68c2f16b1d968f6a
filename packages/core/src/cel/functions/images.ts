import type { CelFunction } from '../function.js';
import { type CelMap, member, present, textOf } from '../values.js';
import { isPlaceholder } from './no-secret.js';

/** Image references. */
export const images: readonly CelFunction[] = [
  {
    signature: 'image(dyn): map<string, dyn>',
    summary:
      'The parts of an image reference: host (as written, or empty), registry (host, else docker.io), repository, name (its last segment), tag, digest, pinned (has a digest), canonical (registry and repository with docker.io/library made explicit).',
    example: 'image("nginx:1.27").canonical == "docker.io/library/nginx" && image("r.example:5000/a/b@sha256:0").name == "b"',
    call: (reference: unknown) => parseImage(textOf(reference)),
  },
  {
    signature: 'namesImage(dyn): bool',
    summary:
      'Whether a container names an image that can be judged: not one that is absent, blank, wholly a placeholder, a `ko://` import path that is still to be built, or `auto`, which Istio replaces when it injects the proxy.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows what a placeholder looks like
    example: 'namesImage({"image": "nginx"}) && !namesImage({"image": "${IMAGE}"}) && !namesImage({"image": " "}) && !namesImage({})',
    call: (container: unknown) => namesImage(textOf(member(present(container), 'image'))),
  },
];

export interface Image {
  host: string;
  registry: string;
  repository: string;
  name: string;
  tag: string;
  digest: string;
  pinned: boolean;
  canonical: string;
}

/** OpenShift's image triggers fill in a blank image; Istio's injection fills in `auto`; ko puts the digest of what it built for `ko://…`. */
function namesImage(reference: string): boolean {
  return reference.trim() !== '' && reference !== 'auto' && !reference.startsWith('ko://') && !isPlaceholder(reference);
}

/** The same few references come up in every container and every rule. */
const parsed = new Map<string, Image & CelMap>();
const MAX_REMEMBERED = 5_000;
const MAX_REMEMBERED_LENGTH = 500;

/**
 * Splits an image reference as the catalogue's "Image parts" says: the host is the text before the first slash if it holds
 * a dot or a colon or is localhost; the tag follows the last colon after the last slash; the digest follows the `@`.
 * Any text has parts; it need not be a valid reference. Before `${REGISTRY}/app@${DIGEST}` is filled in, its placeholders
 * stand for a host and a digest: a repository cannot hold such characters.
 */
export function parseImage(reference: string): Image & CelMap {
  const known = parsed.get(reference);
  if (known !== undefined) return known;
  const image = split(reference);
  if (parsed.size >= MAX_REMEMBERED) parsed.clear();
  if (reference.length <= MAX_REMEMBERED_LENGTH) parsed.set(reference, image);
  return image;
}

function split(reference: string): Image & CelMap {
  const [tagged, digest] = cutAt(reference, reference.indexOf('@'));
  const lastSlash = tagged.lastIndexOf('/');
  const colon = tagged.indexOf(':', lastSlash + 1);
  const [path, tag] = cutAt(tagged, colon < 0 ? -1 : tagged.lastIndexOf(':'));
  const slash = path.indexOf('/');
  const first = slash < 0 ? '' : path.slice(0, slash);
  const host = /[.:${<]/.test(first) || first === 'localhost' ? first : '';
  const repository = host === '' ? path : path.slice(slash + 1);
  const registry = host === '' ? 'docker.io' : host;
  return {
    host,
    registry,
    repository,
    name: repository.slice(repository.lastIndexOf('/') + 1),
    tag,
    digest,
    pinned: (digest.includes(':') && !digest.endsWith(':')) || (digest !== '' && isPlaceholder(digest)),
    canonical: canonical(registry, repository),
  };
}

/** Other names by which Docker Hub is reached: they hold the same images. */
const DOCKER_HUB = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

function canonical(registry: string, repository: string): string {
  if (!DOCKER_HUB.has(registry)) return `${registry}/${repository}`;
  return `docker.io/${repository.includes('/') || repository === '' ? '' : 'library/'}${repository}`;
}

function cutAt(text: string, index: number): [string, string] {
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
