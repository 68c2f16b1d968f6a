import { type JsonObject, parsePointer, type Resource, withoutIndices } from '../resource/index.js';
import type { CloudProvider } from './place.js';
import { TERRAFORM_READERS, type TerraformPart } from './terraform-readers.js';

/** What a Terraform resource makes run at a provider, or why that cannot be told. */
export type TerraformParts = { provider: CloudProvider } & ({ parts: readonly TerraformPart[] } | { reason: string });

/** The values of templates that groups start machines from, by address without indices. */
export type TerraformTemplates = ReadonlyMap<string, JsonObject>;

export function terraformTemplates(resources: readonly Resource[]): TerraformTemplates {
  return new Map(
    resources.flatMap(({ name, object, terraform }) =>
      terraform !== undefined && TEMPLATE_TYPES.test(terraform.type) ? [[withoutIndices(name), object] as const] : [],
    ),
  );
}

const TEMPLATE_TYPES = /^(?:aws_launch_(?:template|configuration)|google_compute_(?:region_)?instance_template)$/;

/** Undefined for what is not managed, and for types that run nothing or are not known. */
export function terraformParts(resource: Resource, templates: TerraformTemplates = new Map()): TerraformParts | undefined {
  if (resource.terraform?.mode !== 'managed') return undefined;
  const reader = TERRAFORM_READERS.get(resource.terraform.type);
  if (reader === undefined) return undefined;
  const found = reader.read(resource.object, templates.get(resource.terraform.template ?? '') ?? {});
  const { provider } = reader;
  return typeof found === 'string' ? { provider, reason: missing(resource, found) } : { provider, parts: found };
}

/** An argument that is missing is often known only after apply. */
function missing({ unknown = [] }: Resource, argument: string): string {
  const [name] = argument.split('.');
  const after = unknown.some(({ pointer }) => pointer === '' || parsePointer(pointer)[0] === name);
  return argument.includes(' ') ? argument : after ? `\`${argument}\` is known only after apply.` : `\`${argument}\` is not set.`;
}
