import type { Messages } from "@/components/i18n/messages";

type Text = Messages["logs"]["detail"];

/** The fixed messages that the gateway's own code ends a request with, older wordings included, by their code. */
const fixed: Record<string, readonly [RegExp, keyof Text["ownMessages"]][]> = {
  UPSTREAM_ERROR: [
    [/^The upstream failed: It could not be reached\. Nothing was billed\.$/, "unreachable"],
    [/^The upstream failed: It did not answer in time\. Nothing was billed\.$/, "late"],
    [/^The upstream failed: The connection broke\. Nothing was billed\.$/, "brokenOff"],
    [/^The upstream failed: The upstream's stream broke off\. Nothing was billed\.$/, "brokenOff"],
    [/^The upstream ended the answer early\.$/, "brokenOff"],
    [/^The upstream failed: The upstream's answer was empty\. Nothing was billed\.$/, "empty"],
    [/^The upstream provider returned an error\.$/, "providerError"],
  ],
  NO_AVAILABLE_NODE: [
    [/^No node for the model `[^`]*` is available; nothing was billed\.$/, "noNode"],
    [/^No upstream node is available\.$/, "noNode"],
    [/^There are no nodes for the model `[^`]*`; nothing was billed\. Try again later\.$/, "noNodes"],
    [/^All nodes are disabled of the model `[^`]*`; nothing was billed\. Try again later\.$/, "disabled"],
  ],
  INTERNAL_ERROR: [[/^The stream broke on our side; nothing was billed\.$/, "ourSide"]],
  QUOTA_EXCEEDED: [[/^The key's quota is used up\.$/, "quotaUsed"]],
  MODEL_NOT_FOUND: [[/^There is no model `[^`]*`\. GET \/v1\/models lists them\.$/, "noModel"]],
  FORBIDDEN: [[/^This key may not use the model `[^`]*`\.$/, "modelForbidden"]],
};

/** A fixed message of the gateway in the reader's language; null for one that says more, such as a node's own words. */
export function ownMessage(code: string | null, message: string, text: Text): string | null {
  const found = fixed[code ?? ""]?.find(([pattern]) => pattern.test(message));
  return found ? text.ownMessages[found[1]] : null;
}
