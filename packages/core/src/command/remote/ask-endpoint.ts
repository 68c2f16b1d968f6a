import type { Endpoint } from '../../endpoint/index.js';
import type { Installation, InstallationFlags } from '../../installation.js';
import { remoteServerOf } from './server-of.js';

/**
 * Answers an input as the server that `--remote` or SVC_API_URL names does, or, where none is named, here: the same value either way.
 * @param input has passed the schema of the endpoint
 * @throws {BylawError} what the endpoint throws; as `callEndpoint`
 */
export async function askEndpoint<Input extends object, Answer extends object, Setup>(
  endpoint: Endpoint<Input, Answer, Setup>,
  input: Input,
  installation: Installation,
  flags: InstallationFlags,
): Promise<Answer> {
  const server = remoteServerOf(installation, flags);
  if (server) {
    const { callEndpoint } = await import('./call-endpoint.js');
    return callEndpoint(server, endpoint, input);
  }
  const { clock, loaded, catalogue } = installation;
  const setup = endpoint.setup?.({ config: loaded.config, paths: { base: loaded.base, data: loaded.dataDir } });
  if (!endpoint.run) throw new Error(`the endpoint ${endpoint.id} does not answer values`);
  const evaluation = () => Promise.reject(new Error('commands evaluate by themselves'));
  return endpoint.run(input, setup as Setup, { clock, catalogue, evaluation }); // an endpoint without one expects none
}
