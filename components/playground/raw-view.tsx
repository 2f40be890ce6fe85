"use client";

import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { CodeBlock } from "../ui/code-block";
import { Note } from "../ui/states";
import type { RawTraffic } from "./conversation";

/** The request body, its images cut short, and the frames of the answer. The key is in neither. */
export function RawView({ raw }: { raw: RawTraffic | null }) {
  const text = useMessages("playground");
  const format = useFormat();
  if (raw === null) return <Note tone="info">{text.rawGone}</Note>;
  return (
    <div className="grid min-w-0 gap-4">
      <div className="grid min-w-0 gap-1.5">
        <h3 className="text-sm font-medium">{text.request}</h3>
        <CodeBlock code={raw.request} label={text.request} copyLabel={text.copyRequest} />
      </div>
      {raw.frames.length > 0 && (
        <div className="grid min-w-0 gap-1.5">
          <h3 className="text-sm font-medium">{raw.stream ? text.frames : text.body}</h3>
          {raw.dropped > 0 && (
            <p className="text-xs text-muted">{plural(text.more, raw.dropped, format.locale)}</p>
          )}
          <CodeBlock code={raw.frames.join("\n\n")} label={text.frames} />
        </div>
      )}
    </div>
  );
}
