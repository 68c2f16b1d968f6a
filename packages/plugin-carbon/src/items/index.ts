/** What is running, as read from manifests, plans, bills and lists. */
export { BillingReader } from './billing-items.js';
export type { CarbonItem, ItemSource, Unestimated } from './carbon-item.js';
export { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
export { manifestItems } from './manifest-items.js';
export type { NodeGroup } from './node-groups.js';
export { terraformItems, terraformResourceItems } from './terraform-items.js';
export { type UsageLine, usageItems } from './usage-items.js';
