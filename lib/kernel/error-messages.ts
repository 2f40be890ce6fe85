/** A question after a sentence; nothing without a name. */
export function didYouMean(near: string | null | undefined): string {
  return near ? ` Did you mean "${near}"?` : "";
}

/**
 * The gateway's own messages about failed calls of a model. The pages recognize these exact texts and translate them in
 * the log. The first ones are about a node: the client gets them inside `upstreamFailed`.
 */
export const callMessages = {
  unreachable: "It could not be reached.",
  late: "It did not answer in time.",
  connectionBroke: "The connection broke.",
  streamBroke: "The upstream's stream broke off",
  empty: "The upstream's answer was empty",
  notServing: "The upstream cannot serve this request now. Nothing was billed.",
  ourSide: "The stream broke on our side; nothing was billed.",
  noNode: (model: string) => `No node for the model \`${model}\` is available; nothing was billed.`,
  noNodes: (model: string) =>
    `There are no nodes for the model \`${model}\`; nothing was billed. Try again later.`,
  disabled: (model: string) =>
    `All nodes are disabled of the model \`${model}\`; nothing was billed. Try again later.`,
  noModel: (model: string, near?: string | null) =>
    `There is no model \`${model}\`.${didYouMean(near)} GET /v1/models lists them.`,
  modelForbidden: (model: string) => `This key may not use the model \`${model}\`.`,
} as const;

/** The message for a node that failed. `words`: the node's own message, or the gateway's about it. */
export function upstreamFailed(words: string): string {
  return `The upstream failed: ${sentence(words)} Nothing was billed.`;
}

/** An upstream's message with a full stop, so that another sentence can follow. Source: docs/contract.md#texts. */
export function sentence(words: string): string {
  const text = words.trimEnd();
  return /[.!?…。！？]["'”’)\]]*$/.test(text) ? text : `${text}.`;
}
