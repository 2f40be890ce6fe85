import { StartupError } from "@/lib/config/startup-error";
import { codeOf } from "@/lib/ops/log-error";

/** Why the port cannot be listened on, and what to do about it, by the system's error code. */
const listenProblems: Record<string, (at: { host: string; port: number }) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken by another program; set PORT to another one.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST=${host} is no address of this machine; set HOST to 127.0.0.1, to 0.0.0.0 for every interface, or to one of its own addresses.`,
  EAFNOSUPPORT: ({ host }) =>
    `HOST=${host} is an address of a kind that this machine does not have; set HOST to 0.0.0.0.`,
  EINVAL: ({ host }) =>
    `HOST=${host} cannot be listened on; set HOST to 127.0.0.1, to 0.0.0.0 for every interface, or to one of this machine's addresses.`,
  ENOTFOUND: ({ host }) =>
    `HOST=${host} cannot be found; set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
  EAI_AGAIN: ({ host }) =>
    `HOST=${host} cannot be looked up now; set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
  EACCES: ({ port }) =>
    `Port ${port} may not be used by this user: ports below 1024 belong to the administrator; set PORT to 1024 or above, and let a reverse proxy serve ${port}.`,
};

/** The StartupError for an error of listening; null for an unknown one. Source: docs/contract.md#start-problems. */
export function listenProblem(error: unknown, at: { host: string; port: number }): StartupError | null {
  const problem = listenProblems[codeOf(error) ?? ""];
  return problem === undefined ? null : new StartupError("The server cannot listen:", [problem(at)]);
}
