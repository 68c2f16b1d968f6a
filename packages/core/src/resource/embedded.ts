import type { InputError } from '../errors.js';
import { isObject, type JsonObject, type JsonValue } from './text/json.js';
import { joinPointer } from './text/pointer.js';
import type { CommentIndex } from './yaml/comment-index.js';
import type { Places } from './yaml/places.js';
import { readYaml } from './yaml/read-yaml.js';

/** Where something that is inside another object comes from: as much of an origin as embedding changes. */
interface Outer {
  file: string;
  document: number;
  places: Places;
  comments: CommentIndex;
}

/** A value inside an object, which rules see as a resource of its own. */
export type Embedded =
  | { value: JsonValue; pointer: string; places: Places; comments: CommentIndex; text: true }
  | { value: JsonObject; pointer: string; text: false };

/**
 * The component configurations inside an object: those that kubeadm keeps in ConfigMaps of kube-system, and the configuration files of the API server in
 * documents of Talos.
 * @param base JSON Pointer of the object in its document
 */
export function embeddedIn(object: JsonObject, base: string, outer: Outer): Embedded[] | InputError {
  if (object.apiVersion === 'talos/v1alpha1') return inTalos(object, base);
  const key = keyOf(object);
  const text = key !== undefined && isObject(object.data) ? object.data[key] : undefined;
  return key !== undefined && typeof text === 'string' ? documentsIn(text, joinPointer(base, 'data', key), outer) : [];
}

/**
 * The documents of Talos that hold a configuration file of the API server, with the member and what is in it. Source: pkg/machinery/config/types/k8s of
 * siderolabs/talos.
 */
const TALOS_DOCUMENTS: ReadonlyMap<JsonValue | undefined, readonly [member: string, apiVersion: string, kind: string]> = new Map([
  ['KubeAuthenticationConfig', ['configuration', 'apiserver.config.k8s.io/v1', 'AuthenticationConfiguration']],
  ['KubeAuditPolicyConfig', ['configuration', 'audit.k8s.io/v1', 'Policy']],
  ['KubeEtcdEncryptionConfig', ['config', 'apiserver.config.k8s.io/v1', 'EncryptionConfiguration']],
]);

function inTalos(object: JsonObject, base: string): Embedded[] {
  const [member = '', apiVersion = '', kind = ''] = TALOS_DOCUMENTS.get(object.kind) ?? [];
  const value = member === '' ? undefined : object[member];
  if (!isObject(value)) return [];
  value.apiVersion ??= apiVersion;
  value.kind ??= kind;
  return [{ value, pointer: `${base}/${member}`, text: false }];
}

/** The key under which kubeadm keeps a configuration. Before 1.24, the name of the kubelet's ConfigMap had the minor version at its end. */
function keyOf({ apiVersion, kind, metadata }: JsonObject): string | undefined {
  if (apiVersion !== 'v1' || kind !== 'ConfigMap' || !isObject(metadata) || metadata.namespace !== 'kube-system') return undefined;
  if (metadata.name === 'kube-proxy') return 'config.conf';
  if (metadata.name === 'kubeadm-config') return 'ClusterConfiguration';
  return typeof metadata.name === 'string' && /^kubelet-config(?:-1\.\d+)?$/.test(metadata.name) ? 'kubelet' : undefined;
}

function documentsIn(text: string, pointer: string, { file, document, places, comments }: Outer): Embedded[] | InputError {
  const read = readYaml({ file, index: document, text, line: 1 });
  if (!Array.isArray(read)) return { ...read, message: `In ${pointer}: ${read.message}`, location: { file, ...places.position(pointer) } };
  const whole = comments.of(pointer).filter((comment) => comment.pointer === '');
  return read.map((inner) => ({
    value: inner.value,
    pointer,
    places: placesInText(inner.places, text, pointer, places),
    comments: { of: () => whole },
    text: true,
  }));
}

/** Where things inside a text are in the document that holds the text: in a block scalar at their own line, else at the key of the text. */
function placesInText(inner: Places, text: string, pointer: string, outer: Places): Places {
  const lines = text.split('\n');
  const isBlock = lines.length > 1 && outer.position(pointer, 1).line !== outer.position(pointer, lastLine(lines)).line;
  const start = outer.position(pointer);
  if (!isBlock) return { position: () => start, positionAt: () => start };
  const move: Places['positionAt'] = (offset) => {
    const { line, column } = inner.positionAt(offset);
    return moved(line, column);
  };
  const moved = (line: number, column: number) => {
    const first = outer.position(pointer, line);
    return { line: first.line, column: first.column + column - 1 - indentation(lines[line - 1]) };
  };
  return {
    position(path, line) {
      const place = inner.position(path, line);
      return moved(place.line, place.column);
    },
    positionAt: move,
  };
}

function lastLine(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '') + 1;
}

function indentation(line = ''): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
