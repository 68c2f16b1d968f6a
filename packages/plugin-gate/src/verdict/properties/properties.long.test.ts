import { describeVerdicts } from './properties.test-support.js';

/** 100,000 verdicts for each property. */
describeVerdicts(2500);
