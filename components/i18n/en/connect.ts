export const connect = {
  title: "Connect & verify",
  lead: "Choose a client, copy its configuration, then let this page replay what the client will ask for.",
  client: "Client",
  model: "Model",
  configuration: "1. Configuration",
  configurationLead:
    "The configuration reads your key from the environment variable `{variable}`. Create a key, choose “Copy as .env” where it is shown, save that as a file named `.env`, and load it into your terminal with `set -a; . ./.env; set +a`.",
  editors: {
    cursor:
      "In Cursor Settings, open Models and then API Keys. Put your own key in place of `tgw-…` and turn both settings on. Cursor sends its requests from its own servers: this address must be reachable from the internet.",
    cline: "Fill in the provider's form in Cline's settings, with your own key in place of `tgw-…`.",
    continue:
      "Continue reads the key from `~/.continue/.env`, where it is the line `TOLLGATE_API_KEY=tgw-…`.",
  },
  baseUrl: "Base URL",
  catalogue: {
    lead: "Codex knows windows and efforts of its own models only. To tell it those of this gateway, put this file beside config.toml and this line above the first table of it.",
    download: "Download the models for Codex",
  },
  verify: "2. Verify",
  verifyLead:
    "Sends the same calls as {client} from this browser. They are ordinary calls: a few tokens each, billed and logged.",
  run: "Verify",
  again: "Verify again",
  running: "Checking…",
  caption: "What was checked",
  columns: { check: "Check", result: "Result", time: "Time", cost: "Cost" },
  states: { waiting: "Not yet", running: "Running", passed: "Passed", failed: "Failed" },
  summaryPassed: "All {count} checks passed. {client} will work with this configuration.",
  summaryFailed: { one: "{count} check failed.", other: "{count} checks failed." },
  summaryRefused: "The key is refused. The other checks need one that works.",
  probes: {
    models: { name: "List of models", detail: "{count} models, with {model} among them" },
    whole: { name: "One answer", detail: "{output} tokens, ended with {reason}" },
    stream: { name: "Streamed answer", detail: "{count} frames, ended properly" },
    tools: { name: "Tool call", detail: "called {tool}" },
    count: { name: "Counting tokens", detail: "{count} input tokens" },
    usage: { name: "Allowance of the key", detail: "{remaining} left" },
  },
  failures: {
    modelMissing: "The model is not in the list of this key.",
    noText: "The answer has no text.",
    noEnd: "The stream ended without its terminal event.",
    noTool: "The model answered without calling the tool. Some models do not support tools.",
    badShape: "The answer does not have the form that this client expects.",
  },
};
