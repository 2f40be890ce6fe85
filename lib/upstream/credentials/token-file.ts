import { CredentialError } from "./credential-error";
import type { Machine } from "./exchange";

/**
 * The token in a file whose path a credential or else a variable of the environment tells. Files are read at each
 * exchange, because others replace them. Shape: without blanks around it.
 *
 * Rejects: CredentialError when there is no path, no file or no token that a header or a form can carry.
 * Source: docs/clouds.md#ambient.
 */
export async function readTokenFile(
  machine: Machine,
  path: string | undefined,
  variable: string,
): Promise<string> {
  const from = path ?? machine.environment[variable];
  if (!from) throw new CredentialError("environment_missing");
  const text = await machine.readFile(from).catch(() => {
    throw new CredentialError("token_file_unreadable");
  });
  const token = text.trim();
  if (!/^[\x20-\x7e]+$/.test(token)) throw new CredentialError("token_file_unreadable");
  return token;
}
