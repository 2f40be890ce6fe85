/** The process cannot start; each problem says what to do. Printed without a stack. Source: docs/contract.md#s2. */
export class StartupError extends Error {
  readonly title: string;
  readonly problems: readonly string[];

  constructor(title: string, problems: readonly string[]) {
    super(`${title}\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "StartupError";
    this.title = title;
    this.problems = problems;
  }
}

/** True for a StartupError of either module graph. */
export function isStartupError(error: unknown): error is StartupError {
  return error instanceof Error && error.name === "StartupError";
}
