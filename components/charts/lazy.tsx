"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "../ui/states";

const bars = () => import("./stacked-bars");

// Starts loading while the page still fetches its data.
if (typeof window !== "undefined") void bars();

const loading = () => <Skeleton className="h-60 w-full" />;

/** Stacked bars, loaded when a page shows them. */
export const StackedBars = dynamic(() => bars().then((module) => module.StackedBars), {
  ssr: false,
  loading,
});

/** Latency lines, loaded when a page shows them. */
export const LatencyLines = dynamic(() => import("./latency-lines").then((module) => module.LatencyLines), {
  ssr: false,
  loading,
});
