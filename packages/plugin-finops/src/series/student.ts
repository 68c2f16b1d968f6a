/**
 * The two-sided chance that a Student t variable with 5 degrees of freedom is at least so far from 0.
 * Source: the closed form of its distribution for odd degrees of freedom, M. Abramowitz and I. A. Stegun, "Handbook of Mathematical
 * Functions" (1964), 26.7.3.
 */
export function studentTail5(t: number): number {
  const theta = Math.atan(Math.abs(t) / Math.sqrt(5));
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  const inside = (2 / Math.PI) * (theta + sine * (cosine + (2 / 3) * cosine ** 3));
  // Far out the difference from 1 has no digits left, and the leading term of the tail is exact enough.
  return inside > 1 - 1e-9 ? FAR * Math.abs(t) ** -5 : 1 - inside;
}

/** Leading coefficient of the tail: `2 · Γ(3) / (√(5π) Γ(5/2)) · 5³ / 5`. */
const FAR = (2 * 2 * 25) / (Math.sqrt(5 * Math.PI) * 1.329340388179137);
