"use client";

import { callMessages as own, upstreamFailed } from "@/lib/kernel/error-messages";
import type { LogDetail } from "../api/types";
import type { Messages } from "../i18n/messages";
import { useMessages } from "../i18n/provider";

/** What the caller was told: the gateway's own sentences in the reader's language, others as the API gave them. */
export function ErrorMessage({ entry }: { entry: LogDetail }) {
  const text = useMessages("logs").detail;
  const { errorMessage } = entry;
  if (errorMessage === null) return null;
  const own = ownMessage(errorMessage, text);
  return (
    <div className="grid gap-1 rounded-md bg-card p-2 text-sm wrap-anywhere">
      {own !== null ? (
        <p title={errorMessage}>{own}</p>
      ) : (
        <>
          <p className="text-xs text-muted">{text.apiMessage}</p>
          <p lang="en">{errorMessage}</p>
        </>
      )}
    </div>
  );
}

type Words = keyof Messages["logs"]["detail"]["ownMessages"];

/** What stands for each message of the gateway that has no name in it. */
const fixed = new Map<string, Words>([
  [upstreamFailed(own.unreachable), "unreachable"],
  [upstreamFailed(own.late), "late"],
  [upstreamFailed(own.connectionBroke), "brokenOff"],
  [upstreamFailed(own.streamBroke), "brokenOff"],
  [upstreamFailed(own.empty), "empty"],
  [own.notServing, "notServing"],
  [own.ourSide, "ourSide"],
]);

const ofModels = ["noNode", "noNodes", "disabled", "noModel", "modelForbidden"] as const;

/** The gateway's own message in the reader's language; null for one that says more, such as a node's own words. */
export function ownMessage(message: string, text: Messages["logs"]["detail"]): string | null {
  const plain = message.replace(/ Did you mean "[^"]*"\?/, "");
  const words = fixed.get(message) ?? ofModels.find((name) => isOfModel(plain, own[name]));
  return words === undefined ? null : text.ownMessages[words];
}

/** Whether the message is this one, whichever model it names. */
function isOfModel(message: string, of: (model: string) => string): boolean {
  const name = /`([^`]*)`/.exec(message)?.[1];
  return name !== undefined && message === of(name);
}
