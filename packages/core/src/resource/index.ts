/**
 * The ground floor: bytes → documents → resources, and what a resource is made of. Knows no rules.
 */
export { type Boundary, boundaryOf, isWithin, repositoryAround } from './boundary.js';
export { builtinGroup, groupOf, versionOf } from './builtin-group.js';
export { groupsOfBuiltin } from './builtin-kinds.js';
export { forCel, noteShadowed, noteUnknown } from './cel-form.js';
export { type ContainerKind, type ContainerRef, containersOf } from './containers.js';
export { type DiscoverOptions, type Discovery, discoverInputs } from './discover.js';
export type { Extraction, Skipped } from './extraction.js';
export { FORMAT_NAMES, type Format, formatNote } from './formats.js';
export { matcherOf } from './gitignore.js';
export {
  type GroupReader,
  kubernetesReader,
  loadReaders,
  type ReaderPart,
  type ReadResource,
  resourceOf,
  withReader,
} from './group-reader.js';
export { type FileUse, fileInput, type Input, type OpenOptions, textInput, unreadable } from './input.js';
export { isKustomizationFile } from './kustomization.js';
export { MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_KEPT_BYTES, MAX_NODES } from './limits.js';
export { isObject } from './members.js';
export { parseDocuments } from './parse.js';
export { POD_KINDS, type Pod, podOf, podPathOf } from './pod.js';
export { POD_TEMPLATE_KINDS, type PodTemplateRef, podTemplatesOf } from './pod-templates.js';
export { escapeToken, formatPointer, getPointer, joinPointer, parsePointer, pointerBelow, unescapeToken } from './pointer.js';
export { type ReadOptions, readDocument } from './read-document.js';
export { readObject } from './read-object.js';
export { leadsOut, realPathOf } from './real-path.js';
export type { Rendered, Renderer, Rendering, RenderOptions } from './renderer.js';
export type { IgnoreComment, JsonObject, JsonValue, Position, Resource, Source, SourceDocument } from './resource.js';
export { apiVersionsOf, type ObjectShape, type Shape, shapeOfKind } from './shape-types.js';
export { isInputError, splitDocuments } from './split.js';
export { withoutIndices } from './terraform-templates.js';
export { knownPartOf } from './unknown-members.js';
