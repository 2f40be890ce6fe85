/** How one simulated call behaves; read from the model name. Units are in the names. */
export interface Behaviour {
  /** Answer with this HTTP error. */
  status: number | null;
  /** Misbehave only in the first calls for this model. */
  firstCalls: number | null;
  retryAfterSeconds: number | null;
  fault: "hang" | "reset" | "html" | "empty" | "garbage" | "error-in-200" | null;
  /** After so many frames: destroy the socket, end without a terminal frame, fall silent, send an error frame. */
  cutAfter: number | null;
  eofAfter: number | null;
  stallAfter: number | null;
  errorAfter: number | null;
  /** Before the first byte, and between frames. */
  firstMs: number;
  everyMs: number;
  usage: { input: number; output: number } | null;
  noUsage: boolean;
  cachedTokens: number;
  parallel: boolean;
  /** Runs each hosted tool that the client offers so many times; null: once those that the prompt is about. */
  hostedCalls: number | null;
  /** The text is exactly the last user text, without the label. */
  echo: boolean;
  reasoning: boolean;
  /** So many text frames; so many characters. */
  chunks: number | null;
  size: number | null;
  /** Each text frame is its send time in Unix milliseconds. */
  stamp: boolean;
}

const PLAIN: Readonly<Behaviour> = Object.freeze({
  status: null,
  firstCalls: null,
  retryAfterSeconds: null,
  fault: null,
  cutAfter: null,
  eofAfter: null,
  stallAfter: null,
  errorAfter: null,
  firstMs: 0,
  everyMs: 0,
  usage: null,
  noUsage: false,
  cachedTokens: 0,
  parallel: false,
  hostedCalls: null,
  echo: false,
  reasoning: false,
  chunks: null,
  size: null,
  stamp: false,
});

type Apply = (first: number, second: number) => Partial<Behaviour>;

const DIRECTIVES: readonly (readonly [RegExp, Apply])[] = [
  [/^([45]\d\d)$/, (status) => ({ status, retryAfterSeconds: status === 429 ? 1 : null })],
  [/^([45]\d\d)-first-(\d+)$/, (status, firstCalls) => ({ status, firstCalls })],
  [/^([45]\d\d)-retry-(\d+)$/, (status, retryAfterSeconds) => ({ status, retryAfterSeconds })],
  [/^hang$/, () => ({ fault: "hang" })],
  [/^reset$/, () => ({ fault: "reset" })],
  [/^html$/, () => ({ fault: "html" })],
  [/^empty$/, () => ({ fault: "empty" })],
  [/^garbage$/, () => ({ fault: "garbage" })],
  [/^error-in-200$/, () => ({ fault: "error-in-200" })],
  [/^cut-after-(\d+)$/, (cutAfter) => ({ cutAfter })],
  [/^eof-after-(\d+)$/, (eofAfter) => ({ eofAfter })],
  [/^stall-after-(\d+)$/, (stallAfter) => ({ stallAfter })],
  [/^error-mid-stream$/, () => ({ errorAfter: 4 })],
  [/^error-after-(\d+)$/, (errorAfter) => ({ errorAfter })],
  [/^slow-(\d+)ms$/, (delayMs) => ({ firstMs: delayMs, everyMs: delayMs })],
  [/^first-(\d+)ms$/, (firstMs) => ({ firstMs })],
  [/^every-(\d+)ms$/, (everyMs) => ({ everyMs })],
  [/^usage-(\d+)-(\d+)$/, (input, output) => ({ usage: { input, output } })],
  [/^no-usage$/, () => ({ noUsage: true })],
  [/^cached-(\d+)$/, (cachedTokens) => ({ cachedTokens })],
  [/^parallel$/, () => ({ parallel: true })],
  [/^hosted-(\d+)$/, (hostedCalls) => ({ hostedCalls })],
  [/^echo$/, () => ({ echo: true })],
  [/^reasoning$/, () => ({ reasoning: true })],
  [/^chunks-(\d+)$/, (chunks) => ({ chunks })],
  [/^size-(\d+)$/, (size) => ({ size })],
  [/^stamp$/, () => ({ stamp: true })],
];

/**
 * What a model name asks of the simulation: directives joined by `+`, e.g. `sim-cut-after-3` or
 * `sim-chunks-200+every-5ms`. Words that are no directive mean nothing.
 */
export function behaviourOf(model: string): Behaviour {
  const directives = model.replace(/^sim-/, "").split("+");
  return Object.assign({}, PLAIN, ...directives.map(read));
}

function read(directive: string): Partial<Behaviour> {
  for (const [pattern, apply] of DIRECTIVES) {
    const match = pattern.exec(directive);
    if (match) return apply(Number(match[1] ?? 0), Number(match[2] ?? 0));
  }
  return {};
}

/** True when every call with this name and body gets the same bytes at once. */
export function isPlain(behaviour: Behaviour): boolean {
  const { status, fault, cutAfter, eofAfter, stallAfter, errorAfter, firstMs, everyMs, stamp } = behaviour;
  const limits = [status, fault, cutAfter, eofAfter, stallAfter, errorAfter];
  return limits.every((limit) => limit === null) && firstMs === 0 && everyMs === 0 && !stamp;
}
