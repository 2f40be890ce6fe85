/**
 * The behaviour of the mock upstream for one model name, so that each request contains its own settings.
 * Units: milliseconds, bytes, tokens.
 */
export interface Scenario {
  /** HTTP status; anything but 200 is an error body of the protocol. */
  status: number;
  /** Before the first byte of the answer. */
  delay: number;
  /** Text of the whole answer. */
  out: number;
  /** Deltas of a streamed answer. */
  chunks: number;
  /** Between two deltas; 0 sends the whole stream at once. */
  every: number;
  /** 1: the answer calls a tool. */
  tool: number;
  /** The reported usage. */
  prompt: number;
  completion: number;
}

const DEFAULTS: Scenario = {
  status: 200,
  delay: 0,
  out: 700,
  chunks: 16,
  every: 0,
  tool: 0,
  prompt: 70,
  completion: 200,
};

/** The model name of a scenario, e.g. `mock_out-1000_every-5`. */
export function modelName(knobs: Partial<Scenario>): string {
  return ["mock", ...Object.entries(knobs).map(([knob, value]) => `${knob}-${value}`)].join("_");
}

/** The scenario of a model name; unknown knobs are ignored. */
export function scenarioOf(model: string): Scenario {
  const scenario = { ...DEFAULTS };
  for (const part of model.split("_").slice(1)) {
    const [knob, value] = part.split("-");
    if (isKnob(knob)) scenario[knob] = Number(value);
  }
  return scenario;
}

function isKnob(name: string | undefined): name is keyof Scenario {
  return name !== undefined && Object.hasOwn(DEFAULTS, name);
}
