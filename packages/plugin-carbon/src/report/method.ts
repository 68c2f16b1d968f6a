import type { Parameters } from '../estimate/parameters.js';

/** How the figures were found, for whoever reads the report alone. */
export function methodOf(parameters: readonly Parameters[]): string[] {
  const models = new Set(parameters.map(({ method }) => method.power_model));
  const grids = new Set(parameters.map(({ method }) => method.grid));
  const embodied = parameters.every(({ method }) => method.embodied);
  return [
    'Attributional, with the SCI formulas (ISO/IEC 21031:2024): energy of processors, memory, GPUs and disks, including the idle capacity that pods reserve and the data centre overhead (PUE), multiplied by the grid intensity.',
    ...(parameters.length > 0 ? [powerSentence(models.has('ccf'), models.has('best'))] : []),
    grids.has('marginal')
      ? 'Grid: marginal intensity as given. The inventory lines use the location-based annual average.'
      : 'Grid: location-based annual average of life-cycle emissions. Market-based figures are included only if the intensity of the purchased electricity is known.',
    embodied || parameters.length === 0
      ? 'Embodied: emissions from manufacturing the host, allocated by hours and by the larger of the vCPU share and the memory share.'
      : 'Embodied: left out of some or all of the estimates, as requested.',
    'Ranges cover 90 % of cases, from 1,024 fixed sample points over all uncertain factors. Items with the same grid, PUE, load or architecture share its error.',
  ];
}

function powerSentence(ccf: boolean, best: boolean): string {
  if (ccf && best) return 'Power: measured and calibrated figures for some estimates, raw figures of Cloud Carbon Footprint for others.';
  if (ccf) return 'Power: raw figures of Cloud Carbon Footprint.';
  return 'Power: Teads curves for instance types that have one; otherwise figures of Cloud Carbon Footprint, multiplied by 1.44 to match these curves.';
}

/** What no figure holds. */
export const NOT_COUNTED: readonly string[] = [
  'Manufacturing of disks, GPUs and network equipment, and construction of the data centre.',
  'Networks and devices of users, and traffic between regions unless it is on a bill.',
  'Load balancers, gateways and managed services with unknown hardware.',
  'Water, refrigerants, and emissions of the people who build and run the system.',
];
