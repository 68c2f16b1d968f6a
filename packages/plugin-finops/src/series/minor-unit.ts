/**
 * The smallest amount of a currency that is paid: what is smaller says nothing. A hundredth for most, and for virtual ones.
 * Source: ISO 4217:2015, list one, column "minor unit", https://www.six-group.com/en/products-services/financial-information/data-standards.html
 */
export function minorUnit(currency: string): number {
  if (WHOLE.has(currency)) return 1;
  if (THOUSANDTHS.has(currency)) return 0.001;
  return TEN_THOUSANDTHS.has(currency) ? 0.0001 : 0.01;
}

const WHOLE = new Set([
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'UYI',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
]);
const THOUSANDTHS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
const TEN_THOUSANDTHS = new Set(['CLF', 'UYW']);
