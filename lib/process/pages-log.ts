import { inspect } from "node:util";
import type { Log } from "@/lib/ops/log";
import { withoutSecrets } from "@/lib/ops/log-error";

const MAX_TEXT_CHARACTERS = 300;
/** The framework's prefix of its messages, and the colour codes of a terminal. */
const DECORATION = new RegExp(`^\\s*[⨯⚠]\\s*|${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/**
 * Redirects messages of the framework and the pages about errors and warnings to the log, with its bounds; the
 * framework would print each error in full. Source: docs/reliability.md#log-errors.
 */
export function logConsole(log: Log): void {
  for (const level of ["error", "warn"] as const)
    console[level] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const text = parts
        .filter((part) => part !== err)
        .map(textOf)
        .join(" ");
      const shown = withoutSecrets(text.replace(DECORATION, "").trim().slice(0, MAX_TEXT_CHARACTERS));
      log[level]({ err }, shown || "the pages process reports an error");
    };
}

function textOf(part: unknown): string {
  return typeof part === "string" ? part : inspect(part, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
}
