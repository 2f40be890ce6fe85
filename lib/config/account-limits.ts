import type { AccountLimits } from "@/lib/db/schema/accounts";

const names = ["qps", "rpm", "tpm", "concurrent", "keys"] as const;

/** Some of the limits of an account, as a file or a caller gives them. */
export type GivenLimits = { [Name in keyof AccountLimits]?: AccountLimits[Name] | undefined };

/** All five limits; null for each that is absent. */
export function allLimits(limits: GivenLimits | null): AccountLimits {
  const { qps = null, rpm = null, tpm = null, concurrent = null, keys = null } = limits ?? {};
  return { qps, rpm, tpm, concurrent, keys };
}

/** The limits of a plan as the database stores them: only those that are set; null when none is. */
export function storedLimits(limits: GivenLimits | null): Partial<AccountLimits> | null {
  const given = names.flatMap((name) => (limits?.[name] == null ? [] : [[name, limits[name]] as const]));
  return given.length === 0 ? null : Object.fromEntries(given);
}
