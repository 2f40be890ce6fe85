import type { Profile } from "../suites/profile";

const SMALLEST_US = 1;
const US_PER_MS = 1_000;

/**
 * Where the main thread of each arm spends its time, as one Markdown table. Units: microseconds of processor time for
 * a request, its measured whole cut by the shares of the profile.
 */
export function profileTable(profiles: readonly Profile[]): string {
  const parts = [
    ...new Set(profiles.toReversed().flatMap((profile) => profile.parts.map(({ part }) => part))),
  ];
  const lines = parts
    .map((part) => ({ part, times: profiles.map((profile) => timeOf(profile, part)) }))
    .filter(({ times }) => times.some((us) => us >= SMALLEST_US))
    .sort((a, b) => largest(b.times) - largest(a.times))
    .map(({ part, times }) => `| ${part} | ${times.map((us) => us.toFixed(0)).join(" | ")} |`);
  const whole = profiles.map(({ mainThreadCpuMs }) => (mainThreadCpuMs * US_PER_MS).toFixed(0));
  return [
    `| µs of the main thread for a request, ${profiles[0]?.connections ?? 0} connections | ${profiles.map(({ arm }) => arm).join(" | ")} |`,
    `|---|${profiles.map(() => "--:|").join("")}`,
    ...lines,
    `| together, while profiled | ${whole.join(" | ")} |`,
  ].join("\n");
}

function timeOf({ parts, mainThreadCpuMs }: Profile, part: string): number {
  return (parts.find((one) => one.part === part)?.share ?? 0) * mainThreadCpuMs * US_PER_MS;
}

function largest(times: readonly number[]): number {
  return Math.max(...times);
}
