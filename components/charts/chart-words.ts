/** The formatters of a chart. */
export interface ChartWords {
  label: (startMs: number) => string;
  range: (bucket: { startMs: number; endMs: number }) => string;
  /** The formatter of these ticks of the value axis. */
  ticks: (values: number[]) => (value: number) => string;
  value: (exact: string) => string;
  /** The formatter of these, for the tooltip. */
  full: (values: string[]) => (exact: string) => string;
  percent: (share: number) => string;
  total: string;
  inProgress: string;
  /** What the total of the period before is called. */
  previous?: string | undefined;
  more: (count: number) => string;
}
