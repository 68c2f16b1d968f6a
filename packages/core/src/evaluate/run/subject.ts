import { type ContainerRef, containersOf, forCel, noteUnknown, type Pod, podOf, type Resource } from '../../resource/index.js';
import { NO_OWN_EXCEPTIONS, type OwnExceptions, ownExceptions } from '../exceptions/exceptions.js';
import type { Finding } from '../findings/finding.js';
import type { RelatedFinding } from '../findings/related-findings.js';
import type { UndecidedCheck } from '../findings/undecided-check.js';
import type { KindRules, RuleIndex } from './rule-index.js';
import type { RunnerOptions } from './runner-options.js';
import type { Scope } from './scope.js';

/** A container, and the form of it that CEL may see. */
export interface SubjectContainer extends ContainerRef {
  value: unknown;
  memory: Memory;
}

/** What programs that many rules share have given already, for one resource or one container, by their slots. */
type Memory = unknown[];

/** A resource with all that rules see of it, extracted once, and where their findings go. */
export interface Subject {
  resource: Resource;
  /** The rules for its kind. */
  rules: KindRules;
  /** The resource as its findings name it. */
  identity: Finding['resource'];
  pod: Pod | undefined;
  containers: readonly SubjectContainer[];
  own: OwnExceptions;
  index: RuleIndex;
  options: RunnerOptions;
  findings: Finding[];
  undecided: UndecidedCheck[];
  /** The failing findings of rules that may be the cause or the consequence of another, with what each is about. */
  related: RelatedFinding[];
  memory: Memory;
  /** The variables of CEL. Those of a rule, a container and an item are set anew each time. */
  scope: Scope;
}

export function subjectOf(resource: Resource, index: RuleIndex, options: RunnerOptions): Subject {
  if (resource.unknown) noteUnknown(resource.object, resource.unknown);
  const pod = podOf(resource);
  return {
    resource,
    rules: index.forKind(resource, pod !== undefined),
    identity: { api_version: resource.apiVersion, kind: resource.kind, namespace: resource.namespace ?? null, name: resource.name },
    pod,
    containers: pod ? containersOf(pod).map(evaluated) : [],
    own: (options.ownExceptions?.(resource) ?? true) ? ownExceptions(resource) : NO_OWN_EXCEPTIONS,
    index,
    options,
    findings: [],
    undecided: [],
    related: [],
    memory: [],
    // All members stand from the start: an object that keeps its shape is read faster.
    scope: {
      object: forCel(resource.object),
      podSpec: pod ? forCel(pod.spec) : {},
      podMetadata: pod ? forCel(pod.metadata) : {},
      objectNamespace: resource.namespace ?? options.namespace,
      live: resource.live ?? false,
      resources: options.resources.of(resource.group),
      config: undefined,
      constants: undefined,
      container: undefined,
      containerKind: undefined,
      item: undefined,
    },
  };
}

function evaluated({ container, kind, pointer }: ContainerRef): SubjectContainer {
  return { container, kind, pointer, value: forCel(container), memory: [] };
}
