import type { Score, Summary } from '../../evaluate/index.js';
import { CATEGORIES, SEVERITIES } from '../../rule/index.js';
import { xml } from '../../xml.js';
import { number, scoreText } from '../wording.js';

/** One bar: the label before it, its length (0 to 1), its colour class, and the value after it. */
interface Bar {
  label: string;
  share: number;
  colour: string;
  value: string;
}

/** Numbers of findings by severity. */
export function severityChart({ by_severity }: Summary): string {
  const most = Math.max(1, ...SEVERITIES.map((severity) => by_severity[severity]));
  const bars = SEVERITIES.map((severity) => ({
    label: severity.charAt(0) + severity.slice(1).toLowerCase(),
    share: by_severity[severity] / most,
    colour: `f-${severity.toLowerCase()}`,
    value: number(by_severity[severity]),
  }));
  return figure('severities', 'Findings by severity', bars, 90, 80);
}

/** Scores by category, with the findings of each. */
export function categoryChart({ by_category }: Summary, score: Score): string {
  const bars = Object.entries(by_category).map(([code, count]) => {
    const value = Object.hasOwn(score.by_category, code) ? (score.by_category[code] ?? null) : null;
    const known = Object.hasOwn(CATEGORIES, code);
    return {
      label: known ? `${code} ${CATEGORIES[code as keyof typeof CATEGORIES]}` : code, // `known` says that it is a key
      share: (value ?? 0) / 100,
      colour: `f-${quality(value)}`,
      value: value === null ? 'not applicable' : `${scoreText(value)}, ${number(count)} ${count === 1 ? 'finding' : 'findings'}`,
    };
  });
  return bars.length === 0 ? '' : figure('categories', 'Score by category', bars, 185, 155);
}

/** The score as a ring, filled as far as it goes, with the grade inside. */
export function scoreBadge({ overall, grade }: Score): string {
  const radius = 50;
  const around = 2 * Math.PI * radius;
  const colour = quality(overall);
  const says = overall === null ? 'No score' : `Score ${scoreText(overall)} of 100, grade ${grade}`;
  const ring = (cls: string, dash: string) =>
    `<circle cx="60" cy="60" r="${radius}" fill="none" stroke-width="10" stroke-linecap="round" class="${cls}"${dash} transform="rotate(-90 60 60)"/>`;
  const filled =
    overall === null || overall === 0 ? '' : ring(`s-${colour}`, ` stroke-dasharray="${round((around * overall) / 100)} ${round(around)}"`);
  return `<svg width="120" height="120" viewBox="0 0 120 120" role="img" aria-label="${says}"><title>${says}</title>${ring('s-track', '')}${filled}<text x="60" y="${overall === null ? 75 : 68}" text-anchor="middle" class="grade f-${colour}">${grade ?? '–'}</text>${overall === null ? '' : `<text x="60" y="88" text-anchor="middle" class="dim">${scoreText(overall)}</text>`}</svg>`;
}

/** How a score is coloured: as its grade would be. */
export function quality(score: number | null): 'good' | 'fair' | 'bad' | 'none' {
  if (score === null) return 'none';
  return score >= 80 ? 'good' : score >= 70 ? 'fair' : 'bad';
}

const WIDTH = 540;
const ROW = 28;

function figure(id: string, title: string, bars: readonly Bar[], labelWidth: number, valueWidth: number): string {
  const height = bars.length * ROW;
  const says = bars.map((bar) => `${bar.label}: ${bar.value}`).join('; ');
  const rows = bars.map((bar, i) => row(bar, i * ROW, labelWidth, WIDTH - labelWidth - valueWidth)).join('');
  return `<figure><figcaption id="${id}-caption">${title}</figcaption><svg width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${xml(says)}</desc>${rows}</svg></figure>`;
}

function row(bar: Bar, y: number, labelWidth: number, room: number): string {
  const length = bar.share === 0 ? 0 : Math.max(3, round(bar.share * room));
  const middle = y + ROW / 2 + 4.5;
  const track = `<rect x="${labelWidth}" y="${y + 8}" width="${room}" height="12" rx="3" class="track"/>`;
  const fill = length === 0 ? '' : `<rect x="${labelWidth}" y="${y + 8}" width="${length}" height="12" rx="3" class="${bar.colour}"/>`;
  return `<text x="0" y="${middle}">${xml(bar.label)}</text>${track}${fill}<text x="${labelWidth + room + 10}" y="${middle}" class="dim">${xml(bar.value)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
