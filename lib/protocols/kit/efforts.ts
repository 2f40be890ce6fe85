/** How hard a model thinks, from least to most. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** How hard a model thinks. */
export type Effort = (typeof efforts)[number];
