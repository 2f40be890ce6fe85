export const connect = {
  title: "Connect & verify",
  lead: "Choose your client and copy its configuration. Then this page makes the calls that the client will make, to check that they work.",
  client: "Client",
  model: "Model",
  configuration: "1. Configuration",
  configurationLead:
    "The configuration takes your key from the environment variable `{variable}`. When you create a key, choose “Copy as .env”, save that as a file named `.env`, and load it in your terminal with `set -a; . ./.env; set +a`. In PowerShell: `Get-Content .env | ForEach-Object { $n, $v = $_ -split '=', 2; Set-Item env:$n $v }`.",
  editors: {
    cursor:
      "In Cursor Settings, open Models and then API Keys. Enter your own key instead of `tgw-…` and turn both settings on. Cursor sends its requests from its own servers, so this address must be reachable from the internet.",
    cline:
      "In Cline's settings, fill in the form of the provider like this, with your own key instead of `tgw-…`.",
    continue:
      "Continue takes the key from the file `~/.continue/.env`: add the line `TOLLGATE_API_KEY=tgw-…` with your own key.",
  },
  baseUrl: "Base URL",
  catalogue: {
    lead: "Codex knows the context window and the reasoning levels of its own models only. To tell it about the models of this gateway, save this file in the folder of config.toml, and add this line to config.toml, above its first table.",
    download: "Download the models for Codex",
  },
  verify: "2. Verify",
  verifyLead:
    "Sends the calls of {client} from this browser, one a second, which every plan allows. They are ordinary calls: each takes a few tokens, is billed and appears in your logs.",
  run: "Verify",
  again: "Verify again",
  running: "Checking…",
  caption: "What was checked",
  columns: { check: "Check", result: "Result", time: "Time", cost: "Cost" },
  states: { waiting: "Not run yet", running: "Running", passed: "Passed", failed: "Failed" },
  summaryPassed: "All {count} checks passed. {client} will work with this configuration.",
  summaryFailed: { one: "{count} check failed.", other: "{count} checks failed." },
  summaryRefused: "The key is refused. The other checks need one that works.",
  probes: {
    models: { name: "List of models", detail: "{count} models, one of them {model}" },
    whole: { name: "One answer", detail: "{output} tokens, stop reason {reason}" },
    stream: { name: "Streamed answer", detail: "{count} events, complete" },
    tools: { name: "Tool call", detail: "called {tool}" },
    count: { name: "Counting tokens", detail: "{count} input tokens" },
    usage: { name: "What the key may still spend", detail: "{remaining} left" },
  },
  failures: {
    modelMissing: "The model is not in the list of this key.",
    noText: "The answer has no text.",
    noEnd: "The stream stopped before its last event.",
    noTool: "The model answered without calling the tool. Not every model supports tools.",
    badShape: "The answer does not have the form that this client expects.",
  },
};
