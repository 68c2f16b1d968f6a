import { isObject, type JsonValue } from '../text/json.js';
import { containerList } from './containers.js';
import { defaultsOf, type PodTemplateRef, runAsNonRootOf } from './pod-template-ref.js';

/**
 * The Pod of a Tekton task. Its steps inherit from `stepTemplate`, its sidecars do not, so they are a template of their own. A step that refers
 * to a StepAction has nothing to evaluate here. Source: Tekton documentation, "Tasks" and "Pod templates".
 */
export function templatesOfTask(task: JsonValue | undefined, pointer: string, podRunsAsNonRoot: boolean | undefined): PodTemplateRef[] {
  if (!isObject(task)) return [];
  const steps = containerList(task.steps, `${pointer}/steps`, () => 'app').filter(({ container }) => !isObject(container.ref));
  const sidecars = containerList(task.sidecars, `${pointer}/sidecars`, () => 'sidecar');
  const stepDefaults = defaultsOf(runAsNonRootOf(task.stepTemplate) ?? podRunsAsNonRoot);
  return [
    { pointer, spec: task, containers: steps, defaults: stepDefaults },
    ...(sidecars.length === 0 ? [] : [{ pointer, spec: {}, containers: sidecars, defaults: defaultsOf(podRunsAsNonRoot) }]),
  ];
}
