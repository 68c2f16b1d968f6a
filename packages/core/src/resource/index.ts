/**
 * The ground floor: bytes → documents → resources, and what a resource is made of. Knows no rules.
 */

export type { Extraction, Skipped } from './extraction.js';
export { type Boundary, boundaryOf, isWithin, repositoryAround } from './files/boundary.js';
export { type DiscoverOptions, type Discovery, discoverInputs } from './files/discover.js';
export { matcherOf } from './files/gitignore.js';
export { isKustomizationFile } from './files/kustomization.js';
export { leadsOut, realPathOf } from './files/real-path.js';
export type { Rendered, Renderer, Rendering, RenderOptions } from './files/renderer.js';
export { kubernetesReader, loadReaders, resourceOf } from './group-reader.js';
export { FORMAT_NAMES, type Format, formatNote } from './input/formats.js';
export {
  fileInput,
  type GroupReader,
  type Input,
  type OpenOptions,
  type ReaderPart,
  type ReadResource,
  textInput,
  unreadable,
  withReader,
} from './input/input.js';
export { splitDocuments } from './input/split.js';
export { builtinGroup, groupOf, versionOf } from './kubernetes/builtin-group.js';
export { groupsOfBuiltin } from './kubernetes/builtin-kinds.js';
export { type ContainerKind, type ContainerRef, containersOf } from './kubernetes/containers.js';
export { isFileGroup } from './kubernetes/file-group.js';
export { POD_KINDS, type Pod, podOf, podPathOf } from './kubernetes/pod.js';
export { POD_TEMPLATE_KINDS, type PodTemplateRef, podTemplatesOf } from './kubernetes/pod-templates.js';
export { apiVersionsOf, type ObjectShape, type Shape, shapeOfKind } from './kubernetes/shape-types.js';
export { type ReadOptions, readDocument } from './read-document.js';
export { readObject } from './read-object.js';
export type { Resource, Source } from './resource.js';
export { withoutIndices } from './terraform-templates.js';
export type { JsonObject, JsonValue } from './text/json.js';
export { isObject } from './text/json.js';
export { MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_KEPT_BYTES, MAX_NODES } from './text/limits.js';
export type { Position } from './text/lines.js';
export { escapeToken, formatPointer, getPointer, joinPointer, parsePointer, pointerBelow, unescapeToken } from './text/pointer.js';
export { forCel, noteShadowed, noteUnknown } from './yaml/cel-form.js';
export type { IgnoreComment } from './yaml/ignore-comments.js';
export { parseDocuments } from './yaml/parse.js';
export type { FileUse, SourceDocument } from './yaml/source-document.js';
export { isInputError } from './yaml/source-document.js';
export { knownPartOf } from './yaml/unknown-members.js';
