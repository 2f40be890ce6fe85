import { GatewayError, isGatewayError } from "@/lib/kernel/errors";

/** How strictly the gateway treats requests. Source: docs/contract.md#s2. */
export type Compatibility = "standard" | "strict" | "lenient";

const moreForgiving: Readonly<Record<Compatibility, readonly Compatibility[]>> = {
  strict: ["standard", "lenient"],
  standard: ["lenient"],
  lenient: [],
};

/**
 * Runs `attempt` under a setting. A refusal names another setting only if a trial of the whole request passes under it.
 * Throws: what `attempt` throws. Source: docs/contract.md#s2, #texts.
 */
export function withTrueHint<T>(setting: Compatibility, attempt: (setting: Compatibility) => T): T {
  try {
    return attempt(setting);
  } catch (error) {
    if (!isGatewayError(error) || error.details.alternative === undefined) throw error;
    const other = moreForgiving[setting].find((candidate) => passes(candidate, attempt));
    if (other === undefined) throw error;
    const hint = `(With COMPATIBILITY=${other} ${error.details.alternative}.)`;
    throw new GatewayError(error.code, `${error.message} ${hint}`, error.details);
  }
}

function passes(setting: Compatibility, attempt: (setting: Compatibility) => unknown): boolean {
  try {
    attempt(setting);
    return true;
  } catch (error) {
    if (isGatewayError(error)) return false;
    throw error;
  }
}
