import { isObject, type JsonObject, type JsonValue } from './text/json.js';

/**
 * Which template each group of machines is made from: the planned values do not say it before the template exists, the expressions of the
 * configuration do. Both addresses are without indices.
 */
export function templatesByAddress(plan: JsonObject): ReadonlyMap<string, string> {
  const templates = new Map<string, string>();
  const configuration = isObject(plan.configuration) ? plan.configuration.root_module : undefined;
  visitModule(templates, configuration, '', 0);
  return templates;
}

/** `module.a[0].aws_instance.b["c"]` as the configuration writes it: `module.a.aws_instance.b`. */
export function withoutIndices(address: string): string {
  return address.replaceAll(/\[(?:\d+|"[^"]*")\]/g, '');
}

/** Modules may be nested, and a plan may be made by hand. */
const DEEPEST = 50;

function visitModule(templates: Map<string, string>, module: JsonValue | undefined, prefix: string, depth: number): void {
  if (!isObject(module) || depth > DEEPEST) return;
  for (const resource of Array.isArray(module.resources) ? module.resources : []) {
    if (!isObject(resource) || typeof resource.address !== 'string' || !isObject(resource.expressions)) continue;
    const template = TEMPLATE_ARGUMENTS.map((name) =>
      templateIn(isObject(resource.expressions) ? resource.expressions[name] : undefined, 0),
    ).find((found) => found !== undefined);
    if (template !== undefined) templates.set(prefix + resource.address, prefix + template);
  }
  const calls = isObject(module.module_calls) ? module.module_calls : {};
  for (const [name, call] of Object.entries(calls))
    if (isObject(call)) visitModule(templates, call.module, `${prefix}module.${name}.`, depth + 1);
}

/** Of groups of Amazon EC2, EKS and Compute Engine. */
const TEMPLATE_ARGUMENTS = ['launch_template', 'launch_configuration', 'mixed_instances_policy', 'version'] as const;
const TEMPLATE = /^(?:aws_launch_template|aws_launch_configuration|google_compute_(?:region_)?instance_template)\.[\w-]+$/;

/** Blocks are lists of objects; an expression lists what it refers to, and the parts of it. */
function templateIn(expression: JsonValue | undefined, depth: number): string | undefined {
  if (typeof expression === 'string') return TEMPLATE.test(expression) ? expression : undefined;
  if (depth > 10 || expression === undefined || expression === null || typeof expression !== 'object') return undefined;
  for (const value of Array.isArray(expression) ? expression : Object.values(expression)) {
    const found = templateIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
