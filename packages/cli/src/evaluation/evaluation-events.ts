import { callEndpoint, filtersBody, inputBody, remoteServerOf } from '@bylaw/core/command/remote';
import type { EvaluationEvent, EvaluationRequest } from '@bylaw/core/evaluate';
import type { Installation, InstallationFlags } from '@bylaw/core/installation';

/** What a local run prints is not limited, so the answer of a server is not either. */
export const ALL = 0;

/**
 * Evaluates here, or has a server do it: a stream of findings and one end, and the same values either way.
 * @throws {BylawError} before the first event, for unknown names in the filter; as `callEndpoint`
 */
export async function* evaluationEvents(
  request: EvaluationRequest,
  installation: Installation,
  flags: InstallationFlags,
): AsyncGenerator<EvaluationEvent, void, void> {
  const server = remoteServerOf(installation, flags);
  if (!server) {
    const { createEngine } = await import('@bylaw/core/evaluate');
    yield* createEngine({ catalogue: await installation.catalogue(), clock: installation.clock }).evaluate(request);
    return;
  }
  const [{ eventsOf }, { evaluate }] = await Promise.all([import('@bylaw/core/report'), import('../endpoints/evaluate.js')]);
  const body = {
    ...(await inputBody(request)),
    ...filtersBody(request),
    ...(request.includePassed && { include_passed: true }),
    ...(request.failOnSkipped && { fail_on_skipped: true }),
    ...(request.includeCompliance && { include_compliance: true }),
    limit: ALL,
  };
  yield* eventsOf(await callEndpoint(server, evaluate, body));
}
