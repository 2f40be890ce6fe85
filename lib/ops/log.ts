import pino, { type Logger, type LoggerOptions } from "pino";
import { codeOf, loggedError } from "./log-error";
import { LogOutput } from "./log-output";
import { RepeatedLines } from "./log-repeats";

/**
 * The structured logger. Callers choose fields one by one, so bodies and secrets are never logged.
 * Source: docs/reliability.md#s3-11.
 */
export type Log = Logger;

const STANDARD_OUTPUT = 1;
/** Lines of finer levels are not bounded: whoever enables them wants all of them. */
const MIN_BOUNDED_LEVEL = pino.levels.values.info ?? 0;

/**
 * A JSON logger on standard output: errors without statements and secrets, equal lines bounded. Lines that are still
 * waiting are written when the process ends. Source: docs/reliability.md#log-errors, #log-repeats.
 */
export function createLog(level: string): Log {
  void process.stdout; // opening it makes a pipe non-blocking
  const output = new LogOutput(STANDARD_OUTPUT);
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["apiKey", "authorization", "password", "credential"],
    serializers: { err: loggedError },
  };
  const counts = pino(options, output);
  const repeats = new RepeatedLines(
    () => performance.now(),
    ({ level: of, message, code, repeated }) => {
      const label = pino.levels.labels[of] ?? "info";
      counts[label as pino.Level]({ ...(code === null ? {} : { code }), repeated }, message);
    },
  );
  process.once("exit", () => {
    repeats.flush();
    output.flush();
  });
  return pino(
    {
      ...options,
      hooks: {
        logMethod(line, write, of) {
          const { message, code } = aboutLine(line);
          const isBounded = of >= MIN_BOUNDED_LEVEL && !isCount(line);
          if (!isBounded || repeats.admits(of, message, code)) write.apply(this, line);
        },
      },
    },
    output,
  );
}

/** A line with the numbers of refusals: at most one a second is written, and it covers many refusals. */
function isCount([first]: readonly unknown[]): boolean {
  return typeof first === "object" && first !== null && "refused" in first;
}

/** What makes lines equal: the text, and the code of the error or of its cause. */
function aboutLine([first, second]: readonly unknown[]): { message: string; code: string | null } {
  if (typeof first === "string") return { message: first, code: null };
  const message = typeof second === "string" ? second : "";
  if (typeof first !== "object" || first === null) return { message, code: null };
  if (first instanceof Error) return { message: message || first.message, code: codeOf(first) };
  const fields = first as { err?: unknown; code?: unknown }; // fields of a line, whatever they are
  return { message, code: codeOf(fields.err) ?? (typeof fields.code === "string" ? fields.code : null) };
}
