import { parseArgs } from "node:util";

/** The options of the command line. */
export interface Options {
  quick: boolean;
  rounds: number;
  seconds: number;
  /** Null: all. */
  suites: readonly string[] | null;
  /** The arms of every suite of requests; null: those of the plan. */
  arms: readonly string[] | null;
  /** The gateway on the first core, everything else on the others; null: where that is possible. */
  pin: boolean | null;
  /** The pages may be older than their sources: then `npm start` would build first. */
  built: boolean;
  /** Only for the suite of this name. */
  soakMinutes: number;
  /** A second checkout, built, whose server is the arm `base`; null: no such arm. */
  base: string | null;
  /** The output of the rounds; null: the default of this kind of run. */
  output: string | null;
}

const SOAK_MINUTES = "10";

/** Reads the command line. Throws: TypeError for unknown flags, RangeError for impossible numbers. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      suite: { type: "string", multiple: true },
      arm: { type: "string", multiple: true },
      pin: { type: "boolean" },
      soak: { type: "string" },
      base: { type: "string" },
      out: { type: "string" },
      build: { type: "boolean", default: true },
    },
    allowNegative: true,
  });
  return {
    quick: values.quick,
    rounds: positive("--rounds", values.rounds ?? (values.quick ? "3" : "7")),
    seconds: positive("--seconds", values.seconds ?? "2"),
    suites: values.suite ?? null,
    arms: values.arm ?? null,
    pin: values.pin ?? null,
    built: values.build,
    soakMinutes: values.suite?.includes("soak") ? positive("--soak", values.soak ?? SOAK_MINUTES) : 0,
    base: values.base ?? null,
    output: values.out ?? null,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`${name} must be above 0, not ${text}`);
  return value;
}
