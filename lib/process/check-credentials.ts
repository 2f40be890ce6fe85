import type { NodeEntry } from "@/lib/config/file-schema";
import { StartupError } from "@/lib/config/startup-error";
import type { Machine } from "@/lib/upstream/credentials/exchange";
import { lacksRegion } from "@/lib/upstream/credentials/region-check";
import { credentialProblem } from "@/lib/upstream/credentials/save-check";

/** Problems that may pass by themselves: the orchestrator that writes a token's file may do so later. */
const passing: ReadonlySet<string> = new Set(["token_file_unreadable"]);

/**
 * Checks the credentials of the file's nodes on this machine.
 * Throws: StartupError with every problem. Source: docs/clouds.md#kinds, #ambient.
 */
export async function checkCredentials(
  nodes: readonly NodeEntry[],
  machine: Machine,
  allowAmbient: boolean,
): Promise<void> {
  const found = await Promise.all(nodes.map((node) => problemOf(node, machine, allowAmbient)));
  const problems = found.flatMap((problem, index) => (problem === null ? [] : [`nodes.${index}.${problem}`]));
  if (problems.length > 0) throw new StartupError("The configuration file is not valid:", problems);
}

async function problemOf(
  { apiKey, credential, baseUrl }: NodeEntry,
  machine: Machine,
  allowAmbient: boolean,
): Promise<string | null> {
  if (credential === null) return null;
  if (apiKey !== null) return "credential: cannot be given beside apiKey";
  if (lacksRegion(credential, baseUrl))
    return "credential.region: is required: the host of baseUrl does not tell it";
  const problem = await credentialProblem(credential, machine, allowAmbient);
  if (problem === "ambient_disabled")
    return "credential.kind: takes what this machine lends; set CLOUD_CREDENTIALS_AMBIENT=1 to allow that";
  if (problem === null || passing.has(problem)) return null;
  return `credential: cannot be used on this machine: ${problem}`;
}
