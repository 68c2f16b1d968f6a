/**
 * Writes the table `carbon_regions` of `packages/plugin-carbon/rules/pack.yaml`: the grid zone and the carbon intensity of each region of AWS, Azure
 * and Google, as carbon estimates use them. Run it after an update of `@tgwf/co2` or a change of the zones of regions.
 *
 *   node scripts/generate-carbon-regions.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { regionIntensities } from '../packages/plugin-carbon/dist/factors/index.js';

const file = fileURLToPath(new URL('../packages/plugin-carbon/rules/pack.yaml', import.meta.url));
const rows = regionIntensities().map(
  ({ provider, region, zone, year, gramsPerKwh }) =>
    `    ${region}: { provider: ${provider}, zone: ${zone}, year: ${year}, intensity: ${gramsPerKwh} }\n`,
);
const text = readFileSync(file, 'utf8');
const table = /^ {2}carbon_regions:.*\n(?: {4}.*\n)*/m;
if (!table.test(text)) throw new Error(`${file} has no table carbon_regions.`);
writeFileSync(file, text.replace(table, `  carbon_regions:\n${rows.join('')}`));
console.log(`${rows.length} regions`);
