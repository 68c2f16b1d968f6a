import { resolve } from 'node:path';
import type { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import type { Bundle, BundleError } from '../../policy/index.js';
import { loadBundle } from '../../verdict/index.js';

/** All that is wrong with a bundle, each with its place; the command line prints the message and takes the exit code from the errors. */
export class BundleErrors extends Error {
  override readonly name = 'BundleErrors';
  readonly errors: readonly BylawError[];
  constructor(errors: readonly BundleError[]) {
    super(errors.map(lineOf).join('\n'));
    this.errors = errors.map(({ code, message, location }) => gateError(code, message, location && { location }));
  }
}

/** `file:line:column: message` */
export function lineOf({ message, location }: Pick<BundleError, 'message' | 'location'>): string {
  return location === undefined ? message : `${location.file}:${location.line}:${location.column}: ${message}`;
}

/**
 * Where the bundle is: what was named on the command line, else `policy.bundle` of the configuration.
 * @throws {BylawError} AG-POL-002 when neither says
 */
export function bundlePath({ loaded }: Installation, named: string | undefined): string {
  if (named !== undefined) return named;
  const { bundle } = gateConfigOf(loaded.config).policy;
  if (bundle === undefined)
    throw gateError('AG-POL-002', 'No policy bundle is configured.', { hint: 'Pass a bundle, or set policy.bundle in bylaw.yaml.' });
  return resolve(loaded.base, bundle);
}

/** @throws {BundleErrors} when it has errors */
export async function openBundle(path: string): Promise<Bundle> {
  const { bundle, errors } = await loadBundle(path);
  if (bundle === undefined) throw new BundleErrors(errors);
  return bundle;
}
