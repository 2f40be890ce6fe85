/** The texts beside the conversation. */
export interface PlaygroundTexts {
  system: string;
  tools: string;
  /** Stop sequences, one in each line. */
  stop: string;
  /** The JSON schema of the answers. */
  schema: string;
}

export const noTexts: PlaygroundTexts = { system: "", tools: "", stop: "", schema: "" };

/** The texts of what was stored, of which older releases had fewer. */
export function textsOf({ system, tools, stop, schema }: Partial<PlaygroundTexts>): PlaygroundTexts {
  return { system: system ?? "", tools: tools ?? "", stop: stop ?? "", schema: schema ?? "" };
}

/** The stop sequences of a text; `\n` stands for a line break. */
export function stopsIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => line.replaceAll("\\n", "\n"));
}
