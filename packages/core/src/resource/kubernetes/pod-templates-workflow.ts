import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { type ContainerRef, containerList } from './containers.js';
import { defaultsOf, type PodTemplateRef, runAsNonRootOf } from './pod-template-ref.js';

/**
 * The Pods of an Argo workflow: one per template that runs containers. Fields that the workflow sets for all of them (hostNetwork, volumes) are
 * in templates without containers, one for the workflow and one for its `templateDefaults`.
 * Source: Argo Workflows field reference, WorkflowSpec and Template.
 */
export function templatesOfWorkflow(workflow: JsonValue | undefined, pointer: string): PodTemplateRef[] {
  if (!isObject(workflow)) return [];
  const fallback = isObject(workflow.templateDefaults) ? workflow.templateDefaults : {};
  const shared: PodTemplateRef[] = [{ pointer, spec: workflow, containers: [], defaults: {} }];
  if (workflow.templateDefaults === fallback) {
    shared.push({ pointer: `${pointer}/templateDefaults`, spec: fallback, containers: [], defaults: {} });
  }
  const templates = templatesIn(workflow.templates, `${pointer}/templates`);
  return [...shared, ...templates.map((template) => podOfTemplate(template, fallback, workflow))];
}

interface Template {
  value: JsonObject;
  pointer: string;
}

/** The templates of a list, and those written in place in their steps and tasks. */
function templatesIn(list: JsonValue | undefined, pointer: string): Template[] {
  return objectsIn(list, pointer).flatMap((template) => [template, ...inlineTemplates(template)]);
}

function inlineTemplates({ value, pointer }: Template): Template[] {
  const dag = isObject(value.dag) ? value.dag : {};
  const groups = Array.isArray(value.steps) ? value.steps : [];
  const steps = [
    ...objectsIn(dag.tasks, `${pointer}/dag/tasks`),
    ...groups.flatMap((group, index) => objectsIn(group, `${pointer}/steps/${index}`)),
  ];
  return steps.flatMap((step) => {
    const template = isObject(step.value.inline) ? { value: step.value.inline, pointer: `${step.pointer}/inline` } : undefined;
    return template === undefined ? [] : [template, ...inlineTemplates(template)];
  });
}

function objectsIn(list: JsonValue | undefined, pointer: string): Template[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value, index) => (isObject(value) ? [{ value, pointer: `${pointer}/${index}` }] : []));
}

function podOfTemplate({ value, pointer }: Template, fallback: JsonObject, workflow: JsonObject): PodTemplateRef {
  const ofContainer = isObject(value.container) ? runAsNonRootOf(fallback.container) : undefined;
  const ofPod = runAsNonRootOf(value) ?? runAsNonRootOf(fallback) ?? runAsNonRootOf(workflow);
  return { pointer, spec: value, containers: containersOfTemplate(value, pointer), defaults: defaultsOf(ofContainer ?? ofPod) };
}

function containersOfTemplate(template: JsonObject, pointer: string): ContainerRef[] {
  const set = isObject(template.containerSet) ? template.containerSet : {};
  const single = ['container', 'script'].flatMap((name): ContainerRef[] => {
    const container = template[name];
    return isObject(container) ? [{ container, kind: 'app', pointer: `${pointer}/${name}` }] : [];
  });
  return [
    ...single,
    ...containerList(set.containers, `${pointer}/containerSet/containers`, () => 'app'),
    ...containerList(template.initContainers, `${pointer}/initContainers`, () => 'init'),
    ...containerList(template.sidecars, `${pointer}/sidecars`, () => 'sidecar'),
  ];
}
