import type { AnswerStep, Exchange } from "./conversation";

/** A conversation as Markdown, with a heading for each who speaks. */
export function asMarkdown(
  exchanges: readonly Exchange[],
  system: string,
  names: { you: string; system: string },
): string {
  const parts = system === "" ? [] : [`## ${names.system}\n\n${system}`];
  for (const { message, images, answers } of exchanges) {
    const files = images.map(({ name }) => `[${name}]`).join(" ");
    parts.push(`## ${names.you}\n\n${[files, message].filter((part) => part !== "").join("\n\n")}`);
    for (const { model, steps } of answers)
      parts.push(
        `## ${model}\n\n${steps
          .map(stepMarkdown)
          .filter((part) => part !== "")
          .join("\n\n")}`,
      );
  }
  return `${parts.join("\n\n")}\n`;
}

function stepMarkdown({ answer, results }: AnswerStep): string {
  const calls = answer.toolCalls.map(({ name, input }, place) => {
    const result = results?.[place];
    const call = `\`${name}\`:\n\n${fenced(input)}`;
    return result === undefined ? call : `${call}\n\n${fenced(result)}`;
  });
  return [answer.text, ...calls].filter((part) => part !== "").join("\n\n");
}

/** With more backticks than stand in it. */
function fenced(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}\n${text}\n${fence}`;
}

/** A conversation as JSON: who said what, and what each answer took. */
export function asJson(exchanges: readonly Exchange[], system: string): string {
  const messages = exchanges.flatMap(({ message, images, answers }) => [
    { role: "user", content: message, ...(images.length > 0 && { images: images.map(({ name }) => name) }) },
    ...answers.flatMap(({ model, protocol, steps }) =>
      steps.flatMap(({ answer, results, cost, requestId, durationMs }) => [
        {
          role: "assistant",
          model,
          protocol,
          content: answer.text,
          ...(answer.reasoning !== "" && { reasoning: answer.reasoning }),
          ...(answer.toolCalls.length > 0 && { toolCalls: answer.toolCalls }),
          inputTokens: answer.inputTokens,
          outputTokens: answer.outputTokens,
          costCents: cost,
          requestId,
          durationMs,
        },
        ...(results ?? []).map((content, place) => ({
          role: "tool",
          toolCallId: answer.toolCalls[place]?.id,
          content,
        })),
      ]),
    ),
  ]);
  return JSON.stringify(system === "" ? { messages } : { system, messages }, null, 2);
}
