import type { Parameters } from '../estimate/parameters.js';

/** How the figures were found, for whoever reads the report alone. */
export function methodOf(parameters: readonly Parameters[]): string[] {
  const models = new Set(parameters.map(({ method }) => method.power_model));
  const grids = new Set(parameters.map(({ method }) => method.grid));
  const embodied = parameters.every(({ method }) => method.embodied);
  return [
    'Attributional, by the formulas of SCI (ISO/IEC 21031:2024): energy of processors, memory, GPUs and disks, with the idle capacity that pods keep and the building (PUE), times the intensity of the grid.',
    ...(parameters.length > 0 ? [powerSentence(models.has('ccf'), models.has('best'))] : []),
    grids.has('marginal')
      ? 'Grid: marginal intensity, as given; in the lines of the inventory the mean of a year by location.'
      : 'Grid: mean of a year by location, life-cycle emissions of electricity; market-based figures only where the intensity of what was bought was given.',
    embodied || parameters.length === 0
      ? 'Embodied: making of the host, by the hours and the larger of the shares of vCPUs and of memory.'
      : 'Embodied: left out of some or all of the estimates, as asked.',
    'Ranges hold nine cases in ten: 1,024 fixed points over all that is uncertain; one grid, PUE, load and architecture is wrong in the same way for all items of it.',
  ];
}

function powerSentence(ccf: boolean, best: boolean): string {
  if (ccf && best) return 'Power: some estimates by measured and calibrated figures, some by the raw figures of Cloud Carbon Footprint.';
  if (ccf) return 'Power: the raw figures of Cloud Carbon Footprint.';
  return 'Power: curves of Teads where a type has one, else figures of Cloud Carbon Footprint, calibrated to these by 1.44.';
}

/** What no figure holds. */
export const NOT_COUNTED: readonly string[] = [
  'Making of disks, GPUs and network equipment, and of the data centre itself.',
  'Networks and devices of users; traffic between regions unless a bill says how much.',
  'Load balancers, gateways and managed services whose hardware is not known.',
  'Water, refrigerants, and emissions of the people who build and run the system.',
];
