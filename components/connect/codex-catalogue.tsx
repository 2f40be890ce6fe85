"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { downloadText } from "../charts/csv";
import { useMessages } from "../i18n/provider";
import { headersOf, sendCall } from "../playground/calls";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";

const FILE = "tollgate-models.json";

/** The models as JSON text, in the form of Codex. Throws ApiError. */
async function readCatalogue(): Promise<string> {
  const { key } = await callApi("POST /api/user/console-key");
  const answer = await sendCall("/v1/models?client_version=1", {
    method: "GET",
    headers: headersOf("responses", key),
  });
  const { models } = (await answer.json()) as { models: unknown }; // our own answer
  return `${JSON.stringify({ models }, null, 2)}\n`;
}

/** The models as a file that Codex reads, with the line of its configuration that names it. */
export function CodexCatalogue() {
  const text = useMessages("connect").catalogue;
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  async function download() {
    setLoading(true);
    setFailure(null);
    try {
      downloadText(FILE, await readCatalogue(), "application/json");
    } catch (error) {
      setFailure(error);
    } finally {
      setLoading(false);
    }
  }
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-sm text-muted">{text.lead}</p>
      <CodeBlock code={`model_catalog_json = "${FILE}"`} label="config.toml" />
      <div>
        <Button disabled={isLoading} onClick={() => void download()}>
          <Download aria-hidden className="size-4" />
          {text.download}
        </Button>
      </div>
      {failure !== null && <ErrorPanel error={failure} />}
    </div>
  );
}
