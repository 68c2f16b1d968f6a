import type { InputError } from '../errors.js';
import { type Embedded, embeddedIn } from './embedded.js';
import type { Extraction, Origin } from './extraction.js';
import { formatNotRead, formatOfValue } from './input/formats.js';
import { nameKindless } from './kindless.js';
import { builtinGroup } from './kubernetes/builtin-group.js';
import { kindProblem } from './kubernetes/known-kind.js';
import { reportMissing } from './kubernetes/required.js';
import { dropMalformed, type ReportMalformed } from './kubernetes/shape.js';
import { isTerraformPlan, terraformResources } from './terraform-plan.js';
import { isObject, type JsonObject, type JsonValue } from './text/json.js';
import type { FileUse } from './yaml/source-document.js';

/** Adds the resources that a document's value holds: itself, the items of a list, or the resources of a Terraform plan. */
export function extractResources(result: Extraction, value: JsonValue, origin: Origin): void {
  if (value === null) return;
  if (isObject(value)) nameKindless(value, origin.file);
  if (origin.use !== undefined && !isWhole(value, origin.use)) {
    if (origin.use === 'patch') result.skipped.push('patch');
  } else if (isObject(value) && isTerraformPlan(value)) {
    terraformResources(result, value, origin);
  } else if (isObject(value) && isKustomization(value, origin.file)) {
    value.apiVersion ??= 'kustomize.config.k8s.io/v1beta1';
    value.kind ??= 'Kustomization';
    addObject(result, value, '', origin);
  } else if (Array.isArray(value) && value.some(isIdentified)) {
    addItems(result, value, '', origin);
  } else if (!isIdentified(value)) {
    passOver(result, value, origin);
  } else {
    addObject(result, value, '', origin);
  }
}

/**
 * Whether a kustomization may use a value as more than a part of an object. The API server would accept a whole object of a built-in kind; what the
 * kinds of others need is not known here.
 */
function isWhole(value: JsonValue, use: FileUse): boolean {
  if (!isIdentified(value)) return Array.isArray(value) && value.some(isIdentified);
  if (use === 'data' || isList(value)) return true;
  if (!builtinGroup(value.apiVersion) || Object.hasOwn(value, '$patch')) return false;
  let missing = kindProblem(value.apiVersion, value.kind) !== undefined;
  reportMissing(value, () => {
    missing = true;
  });
  return !missing && !lacksSelector(value);
}

/** In these kinds the API server requires a selector, which patches leave out. */
function lacksSelector({ apiVersion, spec }: Identified): boolean {
  return apiVersion.startsWith('apps/') && isObject(spec) && Object.hasOwn(spec, 'template') && !Object.hasOwn(spec, 'selector');
}

/** A value that is not a resource is an error only if the user named the file. */
function passOver(result: Extraction, value: JsonValue, origin: Origin): void {
  const format = formatOfValue(value, origin.file);
  if (!origin.explicit) {
    if (!OWN_CONFIGURATION.test(origin.file)) result.skipped.push(format ?? 'unknown');
  } else if (format === undefined) result.errors.push(notAResource(value, '', origin));
  else result.errors.push(formatNotRead(format, { file: origin.file, ...origin.places.position('') }));
}

/** What tells this program what to do is nothing that it left out. */
const OWN_CONFIGURATION = /(?:^|\/)bylaw\.yaml$/;

type Identified = JsonObject & { apiVersion: string; kind: string };

function isIdentified(value: JsonValue): value is Identified {
  return isObject(value) && isText(value.apiVersion) && isText(value.kind);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** A kustomization.yaml may leave out its apiVersion and kind. */
function isKustomization(value: JsonObject, file: string): boolean {
  if (!/(?:^|[\\/])(?:kustomization\.ya?ml|Kustomization)$/.test(file)) return false;
  return !Object.hasOwn(value, 'kind') || (!Object.hasOwn(value, 'apiVersion') && value.kind === 'Kustomization');
}

function addObject(result: Extraction, value: JsonValue, pointer: string, origin: Origin): void {
  if (!isIdentified(value)) {
    result.errors.push(notAResource(value, pointer, origin));
  } else if (isList(value)) {
    addList(result, value, pointer, origin);
  } else {
    addResource(result, value, pointer, origin);
  }
}

function isList(value: Identified): boolean {
  return value.kind.endsWith('List') && (Array.isArray(value.items) || (value.kind === 'List' && value.apiVersion === 'v1'));
}

function addList(result: Extraction, list: Identified, pointer: string, origin: Origin): void {
  if (list.items === undefined) return;
  if (!Array.isArray(list.items)) {
    result.errors.push({
      code: 'malformed',
      message: `${pointer}/items of this List must be a list. Write each object as an item, after a dash.`,
      location: { file: origin.file, ...origin.places.position(`${pointer}/items`) },
    });
    return;
  }
  const itemKind = list.kind.slice(0, -'List'.length);
  for (const item of list.items) {
    // The API server leaves these two out of the items of a typed list.
    if (itemKind === '' || !isObject(item)) continue;
    item.apiVersion ??= list.apiVersion;
    item.kind ??= itemKind;
  }
  addItems(result, list.items, `${pointer}/items`, origin);
}

function addItems(result: Extraction, items: readonly JsonValue[], pointer: string, origin: Origin): void {
  items.forEach((item, index) => {
    if (item !== null) addObject(result, item, `${pointer}/${index}`, origin);
  });
}

function addResource(result: Extraction, object: Identified, base: string, origin: Origin): void {
  const { places, file, document } = origin;
  const report = (pointer: string, message: string) => {
    result.errors.push({ code: 'malformed', message, location: { file, ...places.position(base + pointer) } });
  };
  if (origin.served !== true) reportRefused(object, report);
  dropMalformed(object, report);
  const metadata = isObject(object.metadata) ? object.metadata : undefined;
  const comments = origin.comments.of(base);
  result.resources.push({
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(isText(metadata?.namespace) ? { namespace: metadata.namespace } : {}),
    name: isText(metadata?.name) ? metadata.name : isText(metadata?.generateName) ? metadata.generateName : '',
    object,
    source: {
      file,
      document,
      ...places.position(base),
      ...(base !== '' && { pointer: base }),
      ...(origin.within !== undefined && { pointer: origin.within + base, embedded: true as const }),
      ...(origin.rendered !== undefined && { rendered: origin.rendered }),
    },
    position: (pointer, line) => places.position(base + pointer, line),
    ...(comments.length === 0 ? {} : { ignoreComments: comments }),
  });
  if (origin.within === undefined) addEmbedded(result, object, base, origin);
}

/** Adds the component configurations inside an object. */
function addEmbedded(result: Extraction, object: Identified, base: string, origin: Origin): void {
  const embedded = embeddedIn(object, base, origin);
  if (Array.isArray(embedded)) for (const one of embedded) addInside(result, one, origin);
  else result.errors.push(embedded);
}

function addInside(result: Extraction, embedded: Embedded, origin: Origin): void {
  if (!embedded.text) addObject(result, embedded.value, embedded.pointer, origin);
  else if (isIdentified(embedded.value)) {
    const { value, pointer, places, comments } = embedded;
    addObject(result, value, '', { ...origin, places, comments, within: pointer });
  } else if (embedded.value !== null) result.errors.push(notAResource(embedded.value, '', { ...origin, places: embedded.places }));
}

/** Reports why kube-apiserver would refuse an object of which rules would see too little. */
function reportRefused(object: Identified, report: ReportMalformed): void {
  const problem = kindProblem(object.apiVersion, object.kind);
  if (problem === undefined) reportMissing(object, report);
  else report(`/${problem.member}`, problem.message);
}

function notAResource(value: JsonValue, pointer: string, origin: Origin): InputError {
  return {
    code: 'not-a-resource',
    message: `${describe(value)}, so it is not a Kubernetes object. Add them, or exclude the file.`,
    location: { file: origin.file, ...origin.places.position(pointer) },
  };
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return 'The document is a list without apiVersion and kind';
  if (!isObject(value)) return `The document is a single ${typeof value} without apiVersion and kind`;
  const missing = ['apiVersion', 'kind'].filter((name) => !isText(value[name]));
  const wrong = missing.filter((name) => Object.hasOwn(value, name));
  if (wrong.length > 0)
    return `The ${wrong.join(' and the ')} of the document ${wrong.length === 1 ? 'is not a non-empty string' : 'are not non-empty strings'}`;
  return `The document has no ${missing.join(' and no ')}`;
}
