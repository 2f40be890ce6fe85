import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { type Format, llmComply } from "../support/llm-comply";

/** What the suites say that is as it is on purpose. The reasons: docs/protocols.md#s18-7. */
const onPurpose: Readonly<Record<Format, readonly RegExp[]>> = {
  "openai-chat": [],
  "open-responses": [],
  "google-genai": [],
  anthropic: [
    /^content\.[01]: .* is not valid under any of the given schemas$/,
    /^usage: '(?:cache_creation|inference_geo|output_tokens_details|server_tool_use|service_tier)' is a required property$/,
    /^'(?:stop_details|container)' is a required property$/,
  ],
};
const formats = ["openai-chat", "anthropic", "open-responses", "google-genai"] as const;
const nodes = ["chat", "messages", "gemini"] as const;

const gateway = gatewayFor({
  models: nodes.map((node) => ({
    alias: `on-${node}`,
    routes: [[node, "sim-a"] as [string, string]],
    profile: { structuredOutput: true },
  })),
});
const comply = await llmComply();
const without = "unavailable" in comply ? ` (${comply.unavailable})` : "";

describe.each(nodes)("by other people's suites, a %s node behind the gateway", (node) => {
  const place = async () => ({
    url: gateway.server.url,
    key: (await gateway.key()).key,
    model: `on-${node}`,
  });

  test("is found compatible by compatcanary", async () => {
    const { url, key, model } = await place();
    const scan = ["node_modules/compatcanary/src/cli.js", "scan", "--format", "json", "--fail-on", "never"];
    const asked = [...scan, "--base-url", `${url}/v1`, "--model", model, "--api-key", key];
    const { stdout } = await promisify(execFile)(process.execPath, asked);
    const report: { results: { id: string; status: string; summary: string }[] } = JSON.parse(stdout);
    expect(report.results.length).toBeGreaterThan(5);
    expect(report.results.filter(({ status }) => status !== "pass")).toEqual([]);
  });

  test.skipIf("unavailable" in comply).each(formats)(
    `is found compliant by llm-comply as %s${without}`,
    async (format) => {
      if ("unavailable" in comply) return;
      const checks = await comply.judge(format, await place());
      const found = checks.flatMap(({ id, status, errors = [] }) =>
        status === "failed" ? errors.map((error) => `${id}: ${error}`) : [],
      );
      const isMeant = (line: string) => {
        const said = line.slice(line.indexOf(": ") + 2);
        return onPurpose[format].some((known) => known.test(said));
      };
      expect(checks.filter(({ status }) => status === "passed").length).toBeGreaterThan(2);
      expect(found.filter((line) => !isMeant(line))).toEqual([]);
      for (const known of onPurpose[format])
        expect(
          found.some((line) => known.test(line.slice(line.indexOf(": ") + 2))),
          String(known),
        ).toBe(true);
    },
  );
});
