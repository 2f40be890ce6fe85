"use client";

import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { CodeWords } from "../ui/code-words";
import { OthersProjects } from "./others-projects";
import { SnippetTabs } from "./snippet-tabs";

/** The first call for every client, with a variable where the key goes. */
export function FirstCall(props: { model: string }) {
  const text = useMessages("overview");
  const common = useMessages("common");
  const { publicUrl } = useShell();
  return (
    <div className="grid min-w-0 gap-2">
      <OthersProjects />
      <p className="text-sm text-muted">
        <CodeWords text={text.snippetLead} />
      </p>
      <SnippetTabs baseUrl={publicUrl} apiKey={null} model={props.model} />
      <p className="text-xs break-all text-muted">
        {fill(common.labelled, { label: text.baseUrl, value: `${publicUrl}/v1` })}
      </p>
    </div>
  );
}
