/** The fields of a log line about an error. */
export interface LoggedError {
  type: string;
  code?: string;
  message: string;
  /** The first frames, without the message. */
  stack?: string;
}

const MAX_MESSAGE_CHARACTERS = 300;
const MAX_STACK_LINES = 5;
/** Text beyond this length is not searched for secrets and not shown. */
const MAX_SEARCHED_CHARACTERS = 2_000;
/** A chain of causes can be a circle. */
const MAX_CAUSES = 10;

/**
 * The fields of a thrown value in a log line and in the last line of a process: the innermost cause's type, code and
 * message without secrets, and where it was thrown. Statements, their parameters and all other fields of an error are
 * left out.
 * Source: docs/reliability.md#log-errors.
 */
export function loggedError(thrown: unknown): LoggedError {
  const chain = causesOf(thrown);
  const innermost = chain.at(-1);
  const code = codeOf(thrown);
  const stack = framesOf(chain);
  return {
    type: innermost instanceof Error ? innermost.name : typeof innermost,
    ...(code === null ? {} : { code }),
    message: messageOfCause(thrown),
    ...(stack === "" ? {} : { stack }),
  };
}

/** The message of the innermost cause in one line, without secrets. */
export function messageOfCause(thrown: unknown): string {
  const text = messageOf(causesOf(thrown).at(-1));
  const line = withoutSecrets(text.slice(0, MAX_SEARCHED_CHARACTERS)).replace(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}

/** The code of the innermost cause that has one; null when none has. */
export function codeOf(thrown: unknown): string | null {
  const codes = causesOf(thrown).map((error) => textField(error, "code"));
  return codes.findLast((code) => code !== null) ?? null;
}

function messageOf(innermost: unknown): string {
  if (typeof innermost === "string") return innermost;
  if (!(innermost instanceof Error)) return "a value that is no error was thrown";
  // The message of such an error contains the statement with its parameters.
  if (innermost.message.startsWith("Failed query")) return "a statement failed";
  // The message quotes the text that could not be parsed.
  if (innermost instanceof SyntaxError && innermost.message.endsWith("is not valid JSON"))
    return "a text is not valid JSON";
  return innermost.message || textField(innermost, "code") || innermost.name;
}

/** An error and its causes, the innermost last; of several errors in one, the first. */
function causesOf(thrown: unknown): unknown[] {
  const chain = [thrown];
  while (chain.length < MAX_CAUSES) {
    const last = chain.at(-1);
    if (!(last instanceof Error)) return chain;
    const cause: unknown = last.cause ?? (last instanceof AggregateError ? last.errors[0] : null);
    if (cause === undefined || cause === null || chain.includes(cause)) return chain;
    chain.push(cause);
  }
  return chain;
}

/** Our own frames are more useful than those of packages and of Node.js. */
function framesOf(chain: readonly unknown[]): string {
  const stacks = chain.map((error) => (error instanceof Error ? (error.stack ?? "") : ""));
  const frames = stacks.flatMap((stack) => stack.split("\n").filter((line) => /^\s+at /.test(line)));
  const own = frames.filter((line) => !/node_modules|\(?node:/.test(line));
  const shown = [...new Set(own.length > 0 ? own : frames)].slice(0, MAX_STACK_LINES);
  return shown.map((line) => line.trim()).join("\n");
}

/** Secrets that can be recognized by their form, and what is shown instead. */
const SECRETS: readonly [form: RegExp, shown: string][] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s"'`]*@/gi, "$1***@"],
  [/\$2[abxy]?\$\d\d\$[./0-9A-Za-z]+/g, "***"],
  [/\b(tgw-[0-9A-Za-z]{8})[0-9A-Za-z]+/g, "$1…"],
  [/\bsk-[\w-]{6,}/g, "sk-***"],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, "$1 ***"],
  [/[0-9a-f]{32,}/gi, "***"],
  [/[^\s@<>"'`(),;:=]+@[^\s@<>"'`(),;:=]+\.[a-z]{2,}/gi, "***"],
];

/** A text without keys, hashes, mail addresses and the credentials of URLs. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((shown, [form, instead]) => shown.replace(form, instead), text);
}

function textField(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const field: unknown = Reflect.get(value, name);
  return typeof field === "string" ? field : null;
}
