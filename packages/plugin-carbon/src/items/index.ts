/** What is running, as read from manifests, plans, bills and lists. */
export { type CarbonItem, type ItemSource, PROVIDERS, type Provider, type Spread, type Unestimated } from './carbon-item.js';
