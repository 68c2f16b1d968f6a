import { BylawError } from '@bylaw/core/errors';
import { type JsonSchema, requestCheck } from '@bylaw/core/http';

/**
 * Holds what flags say to the form of the request that they stand for, so that a command takes what a server takes.
 * @throws {BylawError} `usage`
 */
export function checkRequest(
  { as_of, ...request }: { as_of?: string; [member: string]: unknown }, // what reads times has better words for what is not one
  { properties }: { readonly properties: { readonly [member: string]: JsonSchema } },
): void {
  const [breach] = requestCheck({ type: 'object', properties })(request);
  if (!breach) return;
  const place = breach.path.slice(1).replaceAll('/', '.');
  const message = breach.message.startsWith('must match pattern') ? 'has an invalid format' : breach.message;
  const description = properties[place.split('.')[0] ?? '']?.['description'];
  const hint = typeof description === 'string' ? { hint: description } : {};
  throw new BylawError('usage', `Invalid flag value: ${place} ${message}.`, hint);
}
