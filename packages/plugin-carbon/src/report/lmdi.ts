/** What the operational emissions of an item are the product of: activity × kWh per activity × kg per kWh. */
export interface Driven {
  activity: number;
  energyKwh: number;
  /** Kilograms. */
  operational: number;
}

export interface DriverEffects {
  activity: number;
  efficiency: number;
  grid: number;
}

/**
 * Splits the difference of two products into the effects of their three factors, which add up to it: the additive form of LMDI-I.
 * A factor that is 0 on one side is the limit of one that goes to 0: it takes the whole difference, so what is new or gone is activity.
 * Source: B. W. Ang, "The LMDI approach to decomposition analysis: a practical guide", Energy Policy 33 (2005); for zeros B. W. Ang and N. Liu,
 * "Handling zero values in the logarithmic mean Divisia index decomposition approach", Energy Policy 35 (2007).
 */
export function driverEffects(before: Driven, after: Driven): DriverEffects {
  const delta = after.operational - before.operational;
  if (delta === 0 && before.operational === 0) return { activity: 0, efficiency: 0, grid: 0 };
  if (before.operational === 0 || after.operational === 0) return wholly(zeroFactor(before.operational === 0 ? before : after), delta);
  const weight = logarithmicMean(before.operational, after.operational);
  const [activity, efficiency] = [weight * growth(before.activity, after.activity), weight * efficiencyGrowth(before, after)];
  // The third is what is left: its logarithm says the same but for the last digits, and nothing may be left over.
  return { activity, efficiency, grid: delta - activity - efficiency };
}

function efficiencyGrowth(before: Driven, after: Driven): number {
  const efficiency = ({ energyKwh, activity }: Driven) => energyKwh / activity;
  const grown = growth(efficiency(before), efficiency(after));
  return Number.isFinite(grown) ? grown : growth(before.energyKwh, after.energyKwh) - growth(before.activity, after.activity);
}

/** The logarithm of the ratio; of one that no number holds the difference of the logarithms, which has fewer digits. */
function growth(before: number, after: number): number {
  const ratio = Math.log(after / before);
  return Number.isFinite(ratio) ? ratio : Math.log(after) - Math.log(before);
}

function zeroFactor({ activity, energyKwh }: Driven): keyof DriverEffects {
  return activity === 0 ? 'activity' : energyKwh === 0 ? 'efficiency' : 'grid';
}

function wholly(factor: keyof DriverEffects, delta: number): DriverEffects {
  return { activity: 0, efficiency: 0, grid: 0, [factor]: delta };
}

function logarithmicMean(a: number, b: number): number {
  const ratio = Math.log(b / a);
  // Where both are nearly the same, the difference and the logarithm lose their digits; the mean does not.
  return Math.abs(ratio) < 1e-6 ? (a + b) / 2 : (b - a) / ratio;
}
