import { Pattern } from '../../pattern/pattern.js';
import { textOrEmpty } from '../../standard/values.js';

/** Seven letters from a to f or more may be a commit. */
const WORD = '[a-z]{1,6}|[a-z]*[g-z][a-z]*';

/** Architectures, and the systems and runtimes that an image builds on: their numbers say nothing about the version of the image. */
const PLATFORM =
  'amd64|arm64(?:v8)?|arm(?:32)?v[5-8]|aarch64|i386|ppc64le|riscv64|s390x|x86_64' +
  '|(?:alpine|centos|cuda|debian|el|fedora|go|java|jdk|jre|node|ol|php|py|python|ruby|ubi|ubuntu)[0-9][0-9.]*';

/**
 * Suffixes, as an RE2 pattern, that leave a tag on its channel: `lts-alpine3.23` moves with `lts`, while `lts-26.13.0` names a version. Everything
 * that is neither a word nor a platform may be a version, a date, a commit or a build.
 * The forms are those of https://github.com/docker-library/official-images/tree/master/library
 */
export const CHANNEL_SUFFIX = `-(?:${WORD}|${PLATFORM})`;

const SUFFIXES = Pattern.ofValid(`^(?:${CHANNEL_SUFFIX})+$`);

/** Whether a tag is one of the channels, or one with such suffixes, or `latest` with them, or ends in -SNAPSHOT. */
export function isChannelTag(tag: string, channels: readonly unknown[]): boolean {
  const written = tag.toLowerCase();
  const names = channels.map((channel) => textOrEmpty(channel).toLowerCase()).filter((name) => name !== '');
  const follows = (channel: string) => written.startsWith(`${channel}-`) && SUFFIXES.test(written.slice(channel.length));
  return names.includes(written) || written.endsWith('-snapshot') || [...names, 'latest'].some(follows);
}
