import { isStartupError } from "@/lib/config/startup-error";
import { loggedError } from "@/lib/ops/log-error";

/**
 * The last message of a process about the error that ends it: the sentences of a StartupError; for other errors type,
 * code, message and place, without statements and secrets. Source: docs/reliability.md#log-errors.
 */
function lastWords(thrown: unknown): string {
  if (isStartupError(thrown)) return thrown.message;
  const { type, code, message, stack } = loggedError(thrown);
  const name = code === undefined ? type : `${type} ${code}`;
  const place = stack?.replaceAll(/^/gm, "    ");
  return [`${name}: ${message}`, ...(place === undefined ? [] : [place])].join("\n");
}

/** Ends the process with status 1 and a last message when nothing catches an error. */
export function endOnUncaughtErrors(): void {
  // The reader of the output has closed it; the server continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${lastWords(error)}\n`);
    process.exit(1);
  });
}
