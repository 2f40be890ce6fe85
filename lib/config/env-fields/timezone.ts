import { z } from "zod";

/** A time zone name that the platform supports. */
export function timezone() {
  return z.string().refine(isTimezone, "must be a time zone such as UTC or Asia/Shanghai");
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
