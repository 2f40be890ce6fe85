/** Reasoning efforts, from least to most. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** A reasoning effort. */
export type Effort = (typeof efforts)[number];
