"use client";

import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { CodeBlock } from "../ui/code-block";
import type { CallState } from "./use-conversation";

/** The exact request body and the frames of the answer. The key is in neither. */
export function RawView(props: { state: CallState; stream: boolean }) {
  const text = useMessages("playground");
  const format = useFormat();
  const { state } = props;
  if (state.request === "") return <p className="text-sm text-muted">{text.noRaw}</p>;
  return (
    <div className="grid min-w-0 gap-4">
      <div className="grid min-w-0 gap-1.5">
        <h3 className="text-sm font-medium">{text.request}</h3>
        <CodeBlock code={state.request} label={text.request} copyLabel={text.copyRequest} />
      </div>
      {state.frames.length > 0 && (
        <div className="grid min-w-0 gap-1.5">
          <h3 className="text-sm font-medium">{props.stream ? text.frames : text.body}</h3>
          {state.dropped > 0 && (
            <p className="text-xs text-muted">{plural(text.more, state.dropped, format.locale)}</p>
          )}
          <CodeBlock code={state.frames.join("\n\n")} label={text.frames} />
        </div>
      )}
    </div>
  );
}
