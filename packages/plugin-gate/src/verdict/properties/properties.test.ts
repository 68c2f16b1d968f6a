import { describeVerdicts } from './properties.test-support.js';

/** 1,000 verdicts for each property. */
describeVerdicts(25);
