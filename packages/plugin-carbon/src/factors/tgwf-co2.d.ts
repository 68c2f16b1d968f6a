/** The package has no types of its own; these are of what is used. */
declare module '@tgwf/co2/data' {
  export const averageIntensity: { data: { [countryOrAggregate: string]: number }; type: string };
}

declare module '@tgwf/co2/data/electricity-maps' {
  export const yearly2025: {
    data?: { [zone: string]: { carbonIntensity: { value: number } } };
  };
}
