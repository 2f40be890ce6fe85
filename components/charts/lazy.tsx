"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { Skeleton } from "../ui/states";

const bars = () => import("./stacked-bars").then((module) => module.StackedBars);
const lines = () => import("./latency-lines").then((module) => module.LatencyLines);

const loading = () => <Skeleton className="h-60 w-full" />;
const LoadedBars = dynamic(bars, { ssr: false, loading });
const LoadedLines = dynamic(lines, { ssr: false, loading });

/** Starts loading the charts, for a page whose subject they are, while it still fetches its data. */
export function usePreloadedCharts(wanted: boolean): void {
  useEffect(() => {
    if (wanted) void bars();
  }, [wanted]);
}

/** Stacked bars, loaded when they scroll into view. */
export function StackedBars(props: Omit<ComponentProps<typeof LoadedBars>, "firstWidth">) {
  return <WhenSeen chart={(firstWidth) => <LoadedBars {...props} firstWidth={firstWidth} />} />;
}

/** Latency lines, loaded when they scroll into view. */
export function LatencyLines(props: Omit<ComponentProps<typeof LoadedLines>, "firstWidth">) {
  return <WhenSeen chart={(firstWidth) => <LoadedLines {...props} firstWidth={firstWidth} />} />;
}

/** A place that stays empty until it is in view or nearly so; its width spares the chart a second drawing. */
function WhenSeen(props: { chart: (width: number) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      const seen = entries.find((entry) => entry.isIntersecting);
      if (seen !== undefined) setWidth(seen.boundingClientRect.width);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return width === null ? <div ref={place}>{loading()}</div> : props.chart(width);
}
