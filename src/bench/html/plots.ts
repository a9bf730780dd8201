import type { Interval } from '../bootstrap.ts';
import { escapeHtml } from './escape.ts';

/** Drawing units; a plot is shown one and a half times as large at most, and as wide as a small screen at least. */
const WIDTH = 360;
const LEFT = 40;
const RIGHT = 10;
const TOP = 8;
const HEIGHT = 170;
const BOTTOM = 34;
/** Characters. */
const LABEL = 44;

export interface Series {
  readonly name: string;
  /** `[x, y]`, x ascending. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Bars {
  readonly label: string;
  /** One a series, in their order. */
  readonly values: readonly Interval[];
}

interface Axis {
  readonly max: number;
  readonly format: (value: number) => string;
}

/** Horizontal bars, groups one below the other, with a line from the lower to the upper end of each interval. Values 0 to 1. */
export function barPlot(names: readonly string[], groups: readonly Bars[], title: string): string {
  const bar = 11;
  const head = 18;
  const groupHeight = head + names.length * (bar + 2) + 8;
  const height = TOP + groups.length * groupHeight + 18;
  const room = WIDTH - LEFT - RIGHT;
  const x = (value: number) => round(LEFT + Math.min(1, Math.max(0, value)) * room);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${height - 16}"/>` +
      `<text class="tick" x="${x(value)}" y="${height - 3}" text-anchor="middle">${value}</text>`,
  );
  const bars = groups.map(({ label, values }, at) => {
    const top = TOP + at * groupHeight;
    const drawn = values.map(({ mean, low, high }, series) => {
      const y = top + head + series * (bar + 2);
      const middle = y + bar / 2;
      return (
        `<rect class="s${series % 6}" x="${LEFT}" y="${y}" width="${round(x(mean) - LEFT)}" height="${bar}">` +
        `<title>${escapeHtml(`${label}, ${names[series] ?? ''}: ${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`)}</title></rect>` +
        `<line class="whisker" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/>` +
        `<text class="tick" x="${LEFT - 4}" y="${y + bar - 1}" text-anchor="end">${mean.toFixed(2)}</text>`
      );
    });
    return `<text class="label" x="0" y="${top + 13}">${escapeHtml(shorten(label))}</text>${drawn.join('')}`;
  });
  return svg(title, height, [...grid, ...bars].join(''));
}

/** Lines over a common x axis. */
export function linePlot(
  series: readonly Series[],
  axes: { readonly x: Axis; readonly y: Axis; readonly xTitle: string },
  title: string,
): string {
  const bottom = TOP + HEIGHT;
  const x = (value: number) => round(LEFT + (value / (axes.x.max || 1)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(bottom - (value / (axes.y.max || 1)) * HEIGHT);
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const grid = steps.map((step) => {
    const [across, up] = [step * axes.x.max, step * axes.y.max];
    const anchor = step === 1 ? 'end' : 'middle';
    return (
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(up)}" y2="${y(up)}"/>` +
      `<text class="tick" x="${LEFT - 4}" y="${y(up) + 4}" text-anchor="end">${escapeHtml(axes.y.format(up))}</text>` +
      `<text class="tick" x="${x(across)}" y="${bottom + 14}" text-anchor="${anchor}">${escapeHtml(axes.x.format(across))}</text>`
    );
  });
  const lines = series.map(({ name, points }, at) => {
    const path = points.map(([a, b]) => `${x(a)},${y(b)}`).join(' ');
    return `<polyline class="l${at % 6}" points="${path}"><title>${escapeHtml(name)}</title></polyline>`;
  });
  const name = `<text class="tick" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${bottom + 29}" text-anchor="middle">${escapeHtml(axes.xTitle)}</text>`;
  return svg(title, bottom + BOTTOM, [...grid, ...lines, name].join(''));
}

/** What fits into the width of a plot. */
function shorten(label: string): string {
  const characters = [...label];
  return characters.length <= LABEL ? label : `${characters.slice(0, LABEL - 1).join('')}…`;
}

/** Which colour is which. */
export function legend(names: readonly string[]): string {
  const items = names.map((name, at) => `<li><span class="key k${at % 6}"></span>${escapeHtml(name)}</li>`);
  return `<ul class="legend">${items.join('')}</ul>`;
}

function svg(title: string, height: number, content: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${round(height)}" role="img" aria-label="${escapeHtml(title)}">${content}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
