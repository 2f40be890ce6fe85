"use client";

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { valueAxisWidth } from "./axis-labels";

/** Where things are in a chart. Units: pixels. */
export interface PlotScale {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The width that each bucket has. */
  band: number;
  /** The middle of a bucket. */
  x: (index: number) => number;
  /** The height of a value. */
  y: (value: number) => number;
}

interface PlotProps {
  title: string;
  height: number;
  buckets: readonly { startMs: number }[];
  /** Values of the value axis, from 0 up. */
  ticks: readonly number[];
  tickLabel: (value: number) => string;
  timeLabel: (startMs: number) => string;
  tooltip: (index: number) => ReactNode;
  /** What marks the chosen bucket. */
  mark: "band" | "line";
  onPick?: ((index: number) => void) | undefined;
  children: (scale: PlotScale) => ReactNode;
}

const FIRST_WIDTH = 640;
const TOP = 8;
const RIGHT = 8;
const TIME_AXIS = 30;

/** The axes of a chart over time, and its tooltip by pointer or arrow keys; one tab stop. */
export function Plot(props: PlotProps) {
  const { buckets, height, onPick } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<number | null>(null);
  const scale = scaleOf(props, width);
  const active = chosen !== null && chosen < buckets.length ? chosen : null;

  function indexAt(event: PointerEvent<HTMLElement>): number | null {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    if (x < scale.left || x >= scale.right) return null;
    return Math.floor((x - scale.left) / scale.band);
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = indexAfter(event.key, active, buckets.length);
    if (event.key === "Enter" && active !== null) onPick?.(active);
    if (event.key === "Escape") setChosen(null);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  }

  return (
    <div
      ref={box}
      role="application"
      aria-label={props.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a chart has no role of its own; arrow keys move in it
      tabIndex={0}
      className="relative rounded-sm text-xs select-none"
      style={{ height, cursor: onPick === undefined ? "default" : "pointer" }}
      onKeyDown={onKeyDown}
      onBlur={() => setChosen(null)}
      onPointerDown={(event) => setChosen(indexAt(event))}
      onPointerMove={(event) => setChosen(indexAt(event))}
      onPointerLeave={() => setChosen(null)}
      onClick={() => active !== null && onPick?.(active)}
    >
      <svg aria-hidden width={width} height={height} className="absolute inset-0" data-chart>
        <ValueAxis scale={scale} ticks={props.ticks} label={props.tickLabel} />
        {active !== null && <Mark kind={props.mark} scale={scale} index={active} />}
        {props.children(scale)}
        <TimeAxis scale={scale} buckets={buckets} label={props.timeLabel} />
      </svg>
      <PlotTooltip x={active === null ? null : scale.x(active)} width={width}>
        {active !== null && props.tooltip(active)}
      </PlotTooltip>
    </div>
  );
}

function scaleOf({ ticks, tickLabel, buckets, height }: PlotProps, width: number): PlotScale {
  const left = Math.min(valueAxisWidth(ticks.map(tickLabel)), width / 2);
  const right = Math.max(width - RIGHT, left + 1);
  const bottom = height - TIME_AXIS;
  const band = (right - left) / Math.max(1, buckets.length);
  const highest = ticks.at(-1) || 1;
  return {
    left,
    right,
    top: TOP,
    bottom,
    band,
    x: (index) => left + (index + 0.5) * band,
    y: (value) => bottom - (value / highest) * (bottom - TOP),
  };
}

/** The bucket that a key leads to; null for other keys. */
function indexAfter(key: string, active: number | null, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case "ArrowRight":
      return active === null ? 0 : Math.min(last, active + 1);
    case "ArrowLeft":
      return active === null ? last : Math.max(0, active - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

function useWidth(box: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => setWidth(box.current?.clientWidth ?? FIRST_WIDTH), [box]);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

function ValueAxis(props: { scale: PlotScale; ticks: readonly number[]; label: (value: number) => string }) {
  const { left, right, y } = props.scale;
  return props.ticks.map((tick) => (
    <g key={tick}>
      <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
      <text
        x={left - 8}
        y={y(tick)}
        dy="0.35em"
        textAnchor="end"
        fill="var(--muted)"
        className="tabular"
        data-tick
      >
        {props.label(tick)}
      </text>
    </g>
  ));
}

const CHARACTER_PX = 7;
const WIDE_CHARACTER_PX = 12;
const LABEL_GAP_PX = 24;

function TimeAxis(props: {
  scale: PlotScale;
  buckets: readonly { startMs: number }[];
  label: (startMs: number) => string;
}) {
  const { scale, buckets } = props;
  const labels = buckets.map(({ startMs }) => props.label(startMs));
  const widest = Math.max(0, ...labels.map(textWidth));
  const every = Math.max(1, Math.ceil((widest + LABEL_GAP_PX) / scale.band));
  return labels.map((label, index) => {
    if ((labels.length - 1 - index) % every !== 0) return null;
    const half = textWidth(label) / 2;
    const x = Math.min(Math.max(scale.x(index), half), scale.right + RIGHT - half);
    return (
      <text
        key={buckets[index]?.startMs}
        x={x}
        y={scale.bottom + 20}
        textAnchor="middle"
        fill="var(--muted)"
        className="tabular"
      >
        {label}
      </text>
    );
  });
}

function textWidth(label: string): number {
  return [...label].reduce(
    (sum, character) => sum + (character > "\u2e7f" ? WIDE_CHARACTER_PX : CHARACTER_PX),
    0,
  );
}

function Mark({ kind, scale, index }: { kind: "band" | "line"; scale: PlotScale; index: number }) {
  const { x, band, top, bottom } = scale;
  return kind === "band" ? (
    <rect
      x={x(index) - band / 2}
      y={top}
      width={band}
      height={bottom - top}
      fill="var(--hover)"
      opacity={0.6}
    />
  ) : (
    <line x1={x(index)} x2={x(index)} y1={top} y2={bottom} stroke="var(--control)" />
  );
}

const TOOLTIP_GAP = 12;

/** Beside the bucket, on the side with the room. */
function PlotTooltip(props: { x: number | null; width: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState(0);
  useLayoutEffect(() => setOwn(box.current?.offsetWidth ?? 0));
  const after = (props.x ?? 0) + TOOLTIP_GAP;
  const fits = after + own <= props.width;
  return (
    <div
      ref={box}
      role="status"
      className="pointer-events-none absolute top-2 z-10 w-max max-w-full empty:hidden"
      style={{ left: fits ? after : Math.max(0, (props.x ?? 0) - TOOLTIP_GAP - own) }}
    >
      {props.children}
    </div>
  );
}
