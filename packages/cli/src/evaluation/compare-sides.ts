import { callEndpoint, filtersBody, inputBody, remoteServerOf } from '@bylaw/core/command/remote';
import type { Comparison, ComparisonRequest } from '@bylaw/core/evaluate';
import type { Installation, InstallationFlags } from '@bylaw/core/installation';
import { ALL } from './evaluation-events.js';

/**
 * Compares two configurations here, or has a server do it: the same values either way.
 * @throws {BylawError} for unknown names in the filter; as `callEndpoint`
 */
export async function compareSides(request: ComparisonRequest, installation: Installation, flags: InstallationFlags): Promise<Comparison> {
  const server = remoteServerOf(installation, flags);
  if (server) {
    const { validate } = await import('../endpoints/validate.js');
    return callEndpoint(server, validate, {
      current: await inputBody(request.current),
      proposed: await inputBody(request.proposed),
      ...(request.place && { place: request.place }),
      ...filtersBody(request),
      limit: ALL,
    });
  }
  const [{ compareConfigurations }, { comparersOf }, { comparingOf }] = await Promise.all([
    import('@bylaw/core/evaluate'),
    import('@bylaw/core/service'),
    import('@bylaw/core/plugin'),
  ]);
  const { clock, loaded, plugins, catalogue } = installation;
  const comparers = comparersOf(comparingOf(plugins, { config: loaded.config, base: loaded.base }));
  return compareConfigurations(await catalogue(), request, clock, comparers);
}
