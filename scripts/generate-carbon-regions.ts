/**
 * Writes the grid zone and the carbon intensity of each region of AWS, Azure and Google, as carbon estimates use them, to
 * `packages/plugin-carbon/data/carbon-regions.csv`, and the intensities to the table `carbon_regions` of the rule pack. Run it after an update of
 * `@tgwf/co2` or a change of the zones of regions, and update the year in the comment of the pack.
 *
 *   node scripts/generate-carbon-regions.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { regionIntensities } from '../packages/plugin-carbon/dist/factors/index.js';

const rows = regionIntensities();
const folder = new URL('../packages/plugin-carbon/', import.meta.url);
const lines = rows.map(({ provider, region, zone, year, gramsPerKwh }) => `${provider},${region},${zone},${year},${gramsPerKwh}\n`);
writeFileSync(new URL('data/carbon-regions.csv', folder), `provider,region,zone,year,gco2e_per_kwh\n${lines.join('')}`);

const pack = new URL('rules/pack.yaml', folder);
const text = readFileSync(pack, 'utf8');
const table = /^ {2}carbon_regions:\n(?: {4}.*\n)*/m;
if (!table.test(text)) throw new Error('rules/pack.yaml has no table carbon_regions.');
const members = rows.map(({ region, gramsPerKwh }) => `    ${region}: ${gramsPerKwh}\n`);
writeFileSync(pack, text.replace(table, `  carbon_regions:\n${members.join('')}`));
console.log('Wrote data/carbon-regions.csv and the table in rules/pack.yaml.');
