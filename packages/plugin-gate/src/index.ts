import { definePlugin } from '@bylaw/core/plugin';
import { checkGateConfig, GATE_SECTIONS, variableSettings } from './config/index.js';

export default definePlugin({ name: 'gate', config: GATE_SECTIONS, checkConfig: checkGateConfig, settings: variableSettings });
