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
export function usePreloadedCharts(): void {
  useEffect(() => void bars(), []);
}

/** Stacked bars, loaded when they scroll into view. */
export function StackedBars(props: ComponentProps<typeof LoadedBars>) {
  return (
    <WhenSeen>
      <LoadedBars {...props} />
    </WhenSeen>
  );
}

/** Latency lines, loaded when they scroll into view. */
export function LatencyLines(props: ComponentProps<typeof LoadedLines>) {
  return (
    <WhenSeen>
      <LoadedLines {...props} />
    </WhenSeen>
  );
}

/** A place that stays empty until it is in view or nearly so. */
function WhenSeen(props: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return seen ? props.children : <div ref={place}>{loading()}</div>;
}
