import { formatNumber } from '@bylaw/core/chart';
import type { Ranged } from '../../estimate/index.js';

export const UNIT = 'kg CO2e';

export const text = (name: string) => ({ name, kind: 'text' }) as const;
export const key = (name: string) => ({ name, kind: 'key' }) as const;
export const number = (name: string) => ({ name, kind: 'number' }) as const;

export function dimensionName(by: string): string {
  return by.startsWith('tag:') ? `tag ${by.slice(4)}` : by.replaceAll('_', ' ');
}

const WORDS: { readonly [word: string]: string } = {
  ...{ pue: 'PUE', cpu: 'CPU', vcpu: 'vCPU', gpu: 'GPU', ssd: 'SSD', hdd: 'HDD' },
  ...{ gb: 'GB', tb: 'TB', kwh: 'kWh', co2e: 'CO2e' },
};

/** `embodied_kg_co2e_per_host` → `embodied kg CO2e per host`. The `gb` of memory are GiB: the names of factors are fixed, what people read is not. */
export function factorName(factor: string): string {
  const words = factor.startsWith('memory') ? { ...WORDS, gb: 'GiB' } : WORDS;
  return factor
    .split(/[_ ]/)
    .map((word) => (Object.hasOwn(words, word) ? (words[word] ?? word) : word))
    .join(' ');
}

/** `1 hour`, `0.5 hours`: of a number as the page shows it. */
export function hoursText(hours: string): string {
  return `${hours} ${hours === '1' ? 'hour' : 'hours'}`;
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function span({ p5, p95 }: Ranged): string {
  return `${formatNumber(p5)} to ${formatNumber(p95)}`;
}

export function signed(value: number, unit: string): string {
  return `${value > 0 ? '+' : ''}${formatNumber(value)}${unit === '' ? '' : ` ${unit}`}`;
}

export function percent(value: number): string {
  return value.toFixed(Math.abs(value) < 10 && value !== 0 ? 1 : 0);
}
