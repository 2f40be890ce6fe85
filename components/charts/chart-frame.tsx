import { type ReactNode, useState } from "react";
import { ResponsiveContainer } from "recharts";
import { skippedLabels } from "./axis-labels";

interface TickProps {
  x: number | string;
  y: number | string;
  index: number;
  textAnchor: "start" | "middle" | "end" | "inherit";
  verticalAnchor: "start" | "middle" | "end";
  payload: { value: number };
  tickFormatter?: (value: number, index: number) => string;
}

const BASELINE_EM = { start: 0.71, middle: 0.355, end: 0 };

/** A label of an axis: one line, so that nothing of it is measured in the page. */
function AxisTick({ x, y, index, textAnchor, verticalAnchor, payload, tickFormatter }: TickProps) {
  return (
    <text
      className="recharts-cartesian-axis-tick-value"
      x={x}
      y={y}
      dy={`${BASELINE_EM[verticalAnchor]}em`}
      textAnchor={textAnchor}
      fill="var(--muted)"
      fontSize={12}
    >
      {tickFormatter?.(payload.value, index) ?? payload.value}
    </text>
  );
}

/** The value axis: all of its ticks are shown. */
export const valueAxis = { interval: 0, tickLine: false, axisLine: false, tick: AxisTick } as const;

/** The time axis: of its labels as many are shown as fit. Units: pixels. */
export function timeAxis(buckets: { startMs: number }[], label: (startMs: number) => string, width: number) {
  return {
    dataKey: "startMs",
    interval: skippedLabels(
      buckets.map(({ startMs }) => label(startMs)),
      width,
    ),
    tickFormatter: label,
    tickLine: false,
    axisLine: { stroke: "var(--line)" },
    tick: AxisTick,
  };
}

const MARGIN_PX = 8;

/** What the charts leave free around their axes. */
export const margin = { top: MARGIN_PX, right: MARGIN_PX, bottom: 0, left: 0 };

/** The size of a chart. Units: pixels. */
export interface ChartSize {
  height: number;
  /** Its width when it is first drawn. */
  firstWidth: number;
}

/** The place of a chart that is as wide as what is around it. */
export function ChartFrame(props: ChartSize & { chart: (width: number) => ReactNode }) {
  const { height, firstWidth } = props;
  const [width, setWidth] = useState(firstWidth);
  return (
    <ResponsiveContainer
      width="100%"
      height={height}
      initialDimension={{ width: firstWidth, height }}
      onResize={setWidth}
    >
      {props.chart(width)}
    </ResponsiveContainer>
  );
}
