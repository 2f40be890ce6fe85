const PATH = { type: "string", description: "The file, relative to the root of the project; no `..`." };
const LINES = { type: "integer", minimum: 1, description: "How many lines; all when it is absent." };
const TEXT = { type: "string", description: 'Exact text, with its line ends; quotes (") are not escaped.' };
const PATTERN = { type: "string", description: "A regular expression, such as `\\bfoo\\(`." };

/** The tools of an agent; the mock's answers call the first one. */
export const AGENT_TOOLS: readonly object[] = [
  tool("search_documents", "Searches the documents of the project by meaning.", { text: TEXT }, ["text"]),
  tool("read_file", "Reads a file, or a part of it.", { path: PATH, offset: LINES, limit: LINES }, ["path"]),
  tool("write_file", "Writes a file; what it had before is gone.", { path: PATH, content: TEXT }, [
    "path",
    "content",
  ]),
  tool("edit_file", "Replaces a text that stands once in a file.", editOf(), [
    "path",
    "old_text",
    "new_text",
  ]),
  tool("list_directory", "Lists what a directory contains.", { path: PATH, depth: LINES }, ["path"]),
  tool("search_text", "Searches all files for a pattern.", { pattern: PATTERN, path: PATH }, ["pattern"]),
  tool("run_command", "Runs a command in a shell and returns what it prints.", commandOf(), ["command"]),
  tool("run_tests", "Runs tests.", { files: { type: "array", items: PATH }, name: PATTERN }, []),
  tool("show_changes", "Shows what was changed since a commit.", { commit: TEXT, paths: listOf(PATH) }, []),
  tool("fetch_page", "Reads a page of the web as text.", { url: { type: "string" }, lines: LINES }, ["url"]),
  tool("plan_steps", "Writes down what is left to do.", { steps: listOf(stepOf()) }, ["steps"]),
  tool(
    "ask_user",
    "Asks the user; only when nothing else helps.",
    { question: TEXT, answers: listOf(TEXT) },
    ["question"],
  ),
];

function tool(name: string, purpose: string, properties: object, required: readonly string[]): object {
  return {
    type: "function",
    function: {
      name,
      description: `${purpose} It fails with a text that says why; then read it, and do not repeat the same call.`,
      parameters: { type: "object", properties, required, additionalProperties: false },
    },
  };
}

function listOf(items: object): object {
  return { type: "array", items, maxItems: 50 };
}

function editOf(): object {
  return { path: PATH, old_text: TEXT, new_text: TEXT, all: { type: "boolean", default: false } };
}

function commandOf(): object {
  const seconds = { type: "integer", minimum: 1, maximum: 600 };
  return {
    command: TEXT,
    seconds,
    environment: { type: "object", additionalProperties: { type: "string" } },
  };
}

function stepOf(): object {
  const state = { type: "string", enum: ["open", "running", "done", "left out"] };
  return { type: "object", properties: { text: TEXT, state }, required: ["text", "state"] };
}
