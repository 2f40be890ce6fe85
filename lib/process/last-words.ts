import { isStartupError } from "@/lib/config/startup-error";
import { loggedError } from "@/lib/ops/log-error";

/**
 * What a process says of the error that ends it: a StartupError's own sentences; of another one type, code, message and
 * place, without statements and secrets. Source: docs/reliability.md#log-errors.
 */
function lastWords(thrown: unknown): string {
  if (isStartupError(thrown)) return thrown.message;
  const { type, code, message, stack } = loggedError(thrown);
  const name = code === undefined ? type : `${type} ${code}`;
  const place = stack?.replaceAll(/^/gm, "    ");
  return [`${name}: ${message}`, ...(place === undefined ? [] : [place])].join("\n");
}

/** Ends the process with status 1 and its last words when nothing catches an error. */
export function endOnUncaughtErrors(): void {
  // Whoever read the output has gone away; the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${lastWords(error)}\n`);
    process.exit(1);
  });
}
