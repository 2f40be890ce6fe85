/** One bar: a name, what it stands for, and its value. */
export interface Bar {
  name: string;
  note: string;
  value: number;
  /** Ours stand out. */
  ours: boolean;
}

/** Bars that belong together. */
export interface BarGroup {
  title: string;
  bars: readonly Bar[];
}

const WIDTH = 800;
const LABEL_WIDTH = 150;
const BAR_WIDTH = 480;
const BAR_HEIGHT = 18;
const STEP = 44;
const TITLE_HEIGHT = 40;
const MARGIN = 20;

const STYLE = `
    .text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .note { font: 11px system-ui, sans-serif; fill: #59636e; }
    .title { font: 600 15px system-ui, sans-serif; fill: #1f2328; }
    .bar { fill: #8c959f; }
    .ours { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .text, .title { fill: #f0f6fc; }
      .note { fill: #9198a1; }
      .bar { fill: #656c76; }
      .ours { fill: #4493f8; }
    }
  `;

/** A bar chart as SVG, readable on light and dark pages and by screen readers. All groups share one scale. */
export function barChart(title: string, description: string, groups: readonly BarGroup[]): string {
  const largest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), 1);
  const parts: string[] = [];
  let y = MARGIN;
  for (const group of groups) {
    parts.push(`  <text class="title" x="${MARGIN}" y="${y + 14}">${escaped(group.title)}</text>`);
    y += TITLE_HEIGHT;
    for (const bar of group.bars) {
      parts.push(barAt(bar, y, largest));
      y += STEP;
    }
    y += MARGIN;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-labelledby="title desc">
  <title id="title">${escaped(title)}</title>
  <desc id="desc">${escaped(description)}</desc>
  <style>${STYLE}</style>
${parts.join("\n")}
</svg>
`;
}

function barAt({ name, note, value, ours }: Bar, y: number, largest: number): string {
  const width = Math.max(1, (value / largest) * BAR_WIDTH).toFixed(1);
  const x = MARGIN + LABEL_WIDTH;
  return `  <text class="text" x="${MARGIN}" y="${y + 13}">${escaped(name)}</text>
  <rect class="${ours ? "ours" : "bar"}" x="${x}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="3"/>
  <text class="text" x="${(x + Number(width) + 8).toFixed(1)}" y="${y + 13}">${Math.round(value).toLocaleString("en-US")}</text>
  <text class="note" x="${x}" y="${y + BAR_HEIGHT + 13}">${escaped(note)}</text>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
