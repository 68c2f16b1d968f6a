import type { AnswerWarning } from '@bylaw/core/answer';
import { standalone } from '@bylaw/core/chart';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import type { Forecast, ForecastResult } from '../forecast/index.js';
import { chartedSeries, seriesChart, seriesName } from './anomaly-chart.js';
import { type CostChart, leftOutWarning } from './cost-chart.js';
import { chartedForecasts, forecastChart } from './forecast-chart.js';

/** Charts of an answer, and what they leave out. */
export interface Charts {
  charts: CostChart[];
  warnings: AnswerWarning[];
}

/** @param bucket name of a bucket */
export function anomalyCharts(series: readonly SeriesBuckets[], anomalies: readonly Anomaly[], bucket: string): Charts {
  const { drawn, left } = chartedSeries(series, anomalies);
  return {
    charts: drawn.map((one) => ({
      id: one.series.id,
      currency: one.series.currency,
      title: seriesName(one.series),
      svg: standalone(seriesChart(one, bucket)),
    })),
    warnings: leftOutWarning(left.map((one) => seriesName(one.series))),
  };
}

/** @param levels ascending, as in the parameters */
export function forecastCharts(results: readonly ForecastResult[], levels: readonly number[], bucket: string): Charts {
  const { drawn, left } = chartedForecasts(results.flatMap(({ forecasts }) => forecasts));
  // The history of thousands of forecasts is not made for the few that are drawn.
  const withHistory = (forecast: Forecast): Forecast => {
    const result = results.find(({ forecasts }) => forecasts.includes(forecast));
    return result ? { ...forecast, actual: result.historyOf(forecast) } : forecast;
  };
  return {
    charts: drawn.map((forecast) => ({
      id: forecast.id,
      currency: forecast.currency,
      title: forecast.id,
      svg: standalone(forecastChart(withHistory(forecast), levels.toReversed(), bucket)),
    })),
    warnings: leftOutWarning(left.map(({ id }) => id)),
  };
}
