import { definePlugin, type Services, type StartOptions } from '@bylaw/core/plugin';
import { checkGateConfig, GATE_SECTIONS, gateConfigOf, isConfigured, variableSettings } from './config/index.js';
import { gateError } from './error-table.js';

// Every command loads this module, and only a server needs what is behind the endpoints.
const service = () => import('./service/index.js');

export default definePlugin({
  name: 'gate',
  config: GATE_SECTIONS,
  checkConfig: checkGateConfig,
  settings: variableSettings,
  tags: { gate: 'Verdicts on proposed actions, and their evidence.' },
  serves: isAtWork,
  endpoints: async () => (await service()).GATE_ENDPOINTS,
  tools: async () => [(await import('./tools/index.js')).checkActionTool],
  start: async (services, how) => {
    if (!isAtWork(services, how)) {
      if (how.alone) throw notConfigured();
      services.log.info({}, 'the gate is not configured: it adds no routes and opens no store');
      return undefined;
    }
    const { startGate } = await service();
    return (await startGate(services, how)).running;
  },
});

/** In dev mode the gate works without any configuration. */
function isAtWork({ config }: Services, { dev }: StartOptions): boolean {
  return dev || isConfigured(gateConfigOf(config));
}

function notConfigured(): Error {
  return gateError('AG-CFG-006', 'The gate is not configured: bylaw.yaml has neither `adapters` nor `policy.bundle`.', {
    hint: 'Create a key with `bylaw keys init`, register an adapter with `bylaw adapter add`, and set `policy.bundle`. To try the gate without configuration, use --dev.',
  });
}
