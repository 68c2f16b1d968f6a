import type { JsonSchema } from '@bylaw/core/http';
import { ANOMALIES_BODY_SCHEMA, type AnomaliesBody, anomaliesAnswer } from './anomalies.js';
import { FORECAST_BODY_SCHEMA, type ForecastBody, forecastAnswer } from './forecast.js';

/** What a caller can ask of this plugin: the form of the body, and the function that answers it. */
export interface Operation {
  body: JsonSchema;
  /** Pure. The body has passed the schema. @throws {BylawError} for input that cannot be used */
  answer(body: unknown): object;
}

export const OPERATIONS = {
  anomalies: { body: ANOMALIES_BODY_SCHEMA, answer: (body) => anomaliesAnswer(body as AnomaliesBody) },
  forecast: { body: FORECAST_BODY_SCHEMA, answer: (body) => forecastAnswer(body as ForecastBody) },
} as const satisfies { readonly [name: string]: Operation };

export type OperationName = keyof typeof OPERATIONS;
