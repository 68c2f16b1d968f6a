import type { Operation } from '@bylaw/core/operation';
import { anomaliesAnswer } from './anomalies.js';
import { ANOMALIES_BODY_SCHEMA, type AnomaliesBody } from './anomalies-request.js';
import { FORECAST_BODY_SCHEMA, type ForecastBody, forecastAnswer } from './forecast.js';

/** What a caller can ask of this plugin. Bodies have passed the schema. */
export const OPERATIONS = {
  anomalies: { body: ANOMALIES_BODY_SCHEMA, answer: (body) => anomaliesAnswer(body as AnomaliesBody) },
  forecast: { body: FORECAST_BODY_SCHEMA, answer: (body) => forecastAnswer(body as ForecastBody) },
} as const satisfies { readonly [name: string]: Operation };

export type OperationName = keyof typeof OPERATIONS;

/** This file, compiled, also where the sources are run by a test runner. */
export const MODULE = new URL('../../dist/doors/operations.js', import.meta.url);
