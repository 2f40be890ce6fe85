/** One number about a running process, and the target it has. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The value should be at most this; null: no target. */
  atMost: number | null;
}

/** All figures as one Markdown table. */
export function figureTable(figures: readonly Figure[]): string {
  return [
    "| What | Measured | Target |",
    "|---|--:|--:|",
    ...figures.map(({ name, value, unit, atMost }) => {
      const target = atMost === null ? "–" : `≤ ${atMost} ${unit}`;
      return `| ${name} | ${rounded(value)} ${unit} | ${target} |`;
    }),
  ].join("\n");
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
