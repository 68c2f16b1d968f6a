/** The numbers that estimates rest on, where they come from, and how far they may be off. */
export { FACTOR_CLASSES, type Factor, type FactorClass } from './factor.js';
