import { definePlugin, type Services } from '@bylaw/core/plugin';
import { checkGateConfig, GATE_SECTIONS, variableSettings } from './config/index.js';
import type { Gate } from './service/index.js';

/** Routes are mounted before the gate is started, and both are given the same services. */
const gates = new WeakMap<Services, Gate>();

// Every command loads this module, and only a server needs what stands behind the routes.
const service = () => import('./service/index.js');

export default definePlugin({
  name: 'gate',
  config: GATE_SECTIONS,
  checkConfig: checkGateConfig,
  settings: variableSettings,
  routes: async (router, services) => {
    const { gateRoutes } = await service();
    for (const route of gateRoutes(() => gateOf(services))) router.add(route);
  },
  tools: async () => [(await import('./tools/index.js')).checkActionTool],
  start: async (services, how) => {
    const { startGate } = await service();
    const { gate, running } = await startGate(services, how);
    gates.set(services, gate);
    return running;
  },
});

function gateOf(services: Services): Gate {
  const gate = gates.get(services);
  if (!gate) throw new Error('a request came before the gate was started');
  return gate;
}
