import type { AnswerWarning } from '@bylaw/core/answer';
import { sparkline } from '@bylaw/core/chart/sparkline';
import type { Terminal } from '@bylaw/core/command/output';
import { plural, scoreText } from '@bylaw/core/report';
import { newPage, type Page, padded, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { ScoreTrend, TrendVerdict } from '@bylaw/core/score';
import { NOTHING_RECORDED, type ScoreHistory } from '../scores/history.js';
import type { RecordedScore } from '../scores/record-run.js';
import type { ScoreTrendAnswer } from '../scores/trend.js';

export function recordedText({ run_id, recorded, project, score, resources, unchecked, errors, incomplete, notes }: RecordedScore): string {
  const what = recorded ? `recorded ${run_id}` : `${run_id} was already recorded`;
  const gaps = `${unchecked > 0 ? `, ${unchecked} not checked` : ''}${errors > 0 ? `, ${plural(errors, 'error')}` : ''}`;
  const warning = incomplete ? 'INCOMPLETE  a part of the input could not be read; trends ignore this run\n' : '';
  const lines = notes.map(({ message }) => `note: ${printable(message)}\n`).join('');
  return `${warning}${what}: ${printable(project)}, score ${scoreText(score.overall)}, ${plural(resources, 'resource')}${gaps}\n${lines}`;
}

/** A line of the chart, and one line per run. */
export function historyText({ project, points, next_cursor, warnings }: ScoreHistory, { width, colour }: Terminal): string {
  if (warnings.length > 0) return warningText(warnings, project);
  const page = newPage({ colour, width });
  if (points.length === 0) return `No runs of ${printable(project)} match.\n`;
  const line = sparkline(
    points.map(({ score }) => score),
    { width: Math.min(60, page.width - 20), low: 0, high: 100 },
  );
  const rows = points.map(({ recorded_at, score, ref, commit, scope_changed, incomplete, unchecked, categories }) => {
    const where = [ref, commit?.slice(0, 12)].filter((part) => part).join(' ');
    const parts = Object.entries(categories).map(([category, value]) => `${category} ${scoreText(value)}`);
    const remarks = [
      incomplete ? page.chalk.magenta('  incomplete') : '',
      scope_changed ? page.chalk.yellow('  resources changed') : '',
      unchecked > 0 ? page.chalk.dim(`  ${unchecked} not checked`) : '',
    ];
    const rest = `${page.chalk.dim(parts.join('  '))}  ${printable(where)}${remarks.join('')}`;
    return wrapped(page, rest, 25, undefined, `${recorded_at.slice(0, 16).replace('T', ' ')}  ${padded(scoreText(score), 5)}  `);
  });
  const older = next_cursor === null ? '' : `Older points: --cursor ${next_cursor}\n`;
  return `${page.chalk.bold(printable(project))}  ${line}\n\n${rows.join('')}\n${plural(points.length, 'run')}.\n${older}`;
}

/** The verdict in words, then a table of the categories. */
export function trendText(
  { project, overall, categories, first_run, last_run, warnings }: ScoreTrendAnswer,
  { width, colour }: Terminal,
): string {
  if (warnings.some(({ code }) => code === NOTHING_RECORDED.code)) return warningText(warnings, project);
  const page = newPage({ colour, width });
  const span = first_run && last_run ? ` from ${first_run.slice(0, 10)} to ${last_run.slice(0, 10)}` : '';
  const row = (name: string, trend: ScoreTrend) => wrapped(page, rowOf(trend, page), 8, undefined, `  ${padded(name, 5)} `);
  const reasons = overall.reasons.map(({ rule_id, demerit_change }) => `${rule_id} ${signed(demerit_change)}`);
  return [
    `${page.chalk.bold(printable(project))}  ${plural(overall.n, 'run')}${span}\n\n`,
    row('all', overall),
    ...Object.entries(categories).map(([category, trend]) => row(category, trend)),
    '\n',
    ...(overall.projected_30_days
      ? [`In 30 days: ${overall.projected_30_days.value} (${overall.projected_30_days.low} to ${overall.projected_30_days.high}).\n`]
      : []),
    ...(overall.change_point ? [jumpText(overall.change_point)] : []),
    ...warnings.map(({ message }) => wrapped(page, message, 0, page.chalk.magenta)),
    ...(reasons.length > 0 ? [`Largest changes in demerits: ${reasons.join(', ')}.\n`] : []),
  ].join('');
}

/** There is one warning: that nothing has been recorded. */
function warningText(warnings: readonly AnswerWarning[], project: string): string {
  const words = warnings.map(({ message }) => message).join(' ');
  return `${words} Record a run with \`bylaw scores record PATH --project ${printable(project)}\`.\n`;
}

function rowOf({ verdict, current, slope_per_30_days, slope_low, slope_high, p_adjusted }: ScoreTrend, { chalk }: Page): string {
  const style: { [verdict in TrendVerdict]: (text: string) => string } = {
    improving: chalk.green,
    worsening: chalk.red,
    'no-trend': (text) => text,
    'insufficient-data': chalk.dim,
  };
  const slope =
    slope_per_30_days === null
      ? ''
      : `  ${signed(slope_per_30_days)} per 30 days (${signed(slope_low ?? 0)} to ${signed(slope_high ?? 0)})${p_adjusted === null ? '' : `, p ${Number(p_adjusted.toPrecision(2))}`}`;
  return `${padded(scoreText(current), 6)} ${style[verdict](padded(verdict.replace('-', ' '), 17))}${slope}`;
}

function jumpText({ at, before, after }: NonNullable<ScoreTrend['change_point']>): string {
  return `The score jumped on ${at.slice(0, 10)} from ${tenths(before)} to ${tenths(after)}.\n`;
}

/** Medians of scores, which have one decimal, may have two. */
export function tenths(score: number): string {
  return scoreText(Math.round(score * 10) / 10);
}

function signed(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return `${rounded > 0 ? '+' : ''}${rounded}`;
}
