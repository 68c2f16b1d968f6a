import { isObject, type Resource } from '../resource/index.js';
import type { CloudProvider } from './provider.js';
import { TERRAFORM_READERS, type TerraformPart } from './terraform-readers.js';

/** What a Terraform resource makes run at a provider, or why that cannot be told. */
export type TerraformParts = { provider: CloudProvider } & ({ parts: readonly TerraformPart[] } | { reason: string });

/** Undefined for what is not managed, and for types that run nothing or are not known. */
export function terraformParts(resource: Resource): TerraformParts | undefined {
  if (resource.terraform?.mode !== 'managed') return undefined;
  const reader = TERRAFORM_READERS.get(resource.terraform.type);
  if (reader === undefined) return undefined;
  const found = reader.read(resource.object);
  const { provider } = reader;
  return typeof found === 'string' ? { provider, reason: missing(resource, found) } : { provider, parts: found };
}

/** An argument that is missing is often known only after apply. */
function missing({ terraform }: Resource, argument: string): string {
  const unknown = terraform?.unknown;
  const after = unknown === true || (isObject(unknown) && unknown[argument.split('.')[0] ?? ''] !== undefined);
  return argument.includes(' ') ? argument : after ? `\`${argument}\` is known only after apply.` : `\`${argument}\` is not set.`;
}
