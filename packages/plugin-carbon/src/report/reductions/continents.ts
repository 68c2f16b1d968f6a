/**
 * Where customers expect their data to stay, by the country of a zone (ISO 3166-1).
 * Countries: those in which the providers have regions. China is apart, because of its law.
 */
const COUNTRIES: { readonly [continent: string]: string } = {
  'north america': 'US CA MX',
  'south america': 'BR CL',
  europe: 'IE GB FR DE CH SE IT ES BE NL FI PL NO AT DK GR',
  africa: 'ZA',
  'middle east': 'BH AE IL QA SA',
  asia: 'HK TW IN JP KR SG ID MY TH',
  oceania: 'AU NZ',
  china: 'CN',
};

const CONTINENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([continent, countries]) => countries.split(' ').map((country) => [country, continent] as const)),
);

/** Of a zone of Electricity Maps, which begins with its country. */
export function continentOf(zone: string): string | undefined {
  return CONTINENTS.get(zone.split('-')[0] ?? '');
}
