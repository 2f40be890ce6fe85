/** The last seven days of everything: what usage shows first. */
export const usageWeek = { period: "7d" } as const;
