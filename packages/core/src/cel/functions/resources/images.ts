import type { CelFunction } from '../../function.js';
import { type CelMap, listOf, member, present, textOrEmpty } from '../../standard/values.js';
import { isPlaceholder } from '../secrets/no-secret.js';
import { isChannelTag } from './channel-tag.js';

/** Image references. */
export const images: readonly CelFunction[] = [
  {
    signature: 'image(dyn): map<string, dyn>',
    summary:
      'The parts of an image reference: host (as written, or empty), registry (the host, or docker.io, which also replaces other names of Docker Hub), repository, name (the last segment of the repository), tag, digest (the part after `@`), pinned (whether it has a valid digest, or a placeholder for one), canonical (registry and repository, with docker.io/library made explicit).',
    example: 'image("nginx:1.27").canonical == "docker.io/library/nginx" && image("r.example:5000/a/b:1@sha256:0").pinned == false',
    call: (reference: unknown) => parseImage(textOrEmpty(reference)),
  },
  {
    signature: 'namesImage(dyn): bool',
    summary:
      'Whether a container names an image that can be checked. False for an image that is absent, blank, only a placeholder, a `ko://` import path that is not built yet, or `auto`, which Istio replaces when it injects the proxy.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows what a placeholder looks like
    example: 'namesImage({"image": "nginx"}) && !namesImage({"image": "${IMAGE}"}) && !namesImage({"image": " "}) && !namesImage({})',
    call: (container: unknown) => namesImage(textOrEmpty(member(present(container), 'image'))),
  },
  {
    signature: 'isChannelTag(dyn, dyn): bool',
    summary:
      'Whether a tag follows one of the channels (a list; case is ignored): the tag is the channel, ends in -SNAPSHOT, or is the channel or `latest` with suffixes, none of which can be a version, a date or a commit.',
    example: 'isChannelTag("lts-alpine", ["lts"]) && isChannelTag("LTS", ["lts"]) && !isChannelTag("lts-1.2", ["lts"])',
    call: (tag: unknown, channels: unknown) => isChannelTag(textOrEmpty(tag), listOf(present(channels))),
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
  const registry = host === '' || DOCKER_HUB.has(host.toLowerCase()) ? 'docker.io' : host;
  return {
    host,
    registry,
    repository,
    name: repository.slice(repository.lastIndexOf('/') + 1),
    tag,
    digest,
    pinned: PINNING.test(digest),
    canonical: canonical(registry, repository),
  };
}

/**
 * The digests of the OCI image specification, https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests, and what holds the
 * mark of a placeholder, which no digest does.
 */
const PINNING = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$|[$<{]/;

/** The names by which Docker Hub is reached: they hold the same images. https://github.com/docker/hub-feedback/issues/2113 */
const DOCKER_HUB = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']);

function canonical(registry: string, repository: string): string {
  if (registry !== 'docker.io') return `${registry}/${repository}`;
  return `docker.io/${repository.includes('/') || repository === '' ? '' : 'library/'}${repository}`;
}

function cutAt(text: string, index: number): [string, string] {
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
