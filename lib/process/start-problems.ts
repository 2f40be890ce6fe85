import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Settings } from "@/lib/config/env";
import { isStartupError, StartupError } from "@/lib/config/startup-error";
import { EMBEDDED_POSTGRESQL } from "@/lib/db/client";
import { DataDirectoryBusyError } from "@/lib/db/data-lock";
import { sqlState } from "@/lib/db/database-error";
import { UnsuitableDatabaseError } from "@/lib/db/database-url";
import { codeOf, loggedError, messageOfCause } from "@/lib/ops/log-error";
import { postgresProblem } from "./postgres-problems";

/** The settings with the places of the database and the data. */
type Places = Pick<Settings, "databaseUrl" | "dataDir">;

/**
 * Any error of a start as sentences that say what to do, for the start itself, `npm run doctor` and the other commands.
 * Shape: a StartupError unchanged; for an unknown error its type, code, message and place.
 * Source: docs/contract.md#start-problems.
 */
export function startError(error: unknown, places: Places): StartupError {
  if (isStartupError(error)) return error;
  if (error instanceof DataDirectoryBusyError)
    return new StartupError("The embedded database cannot be opened:", [error.message]);
  if (error instanceof UnsuitableDatabaseError)
    return new StartupError("The database cannot be used:", [error.message]);
  const file = dataDirectoryProblem(error, places.dataDir);
  if (file !== null) return new StartupError("The data directory cannot be used:", [file]);
  const database = databaseProblem(error, places);
  if (database !== null) return new StartupError("The database cannot be used:", [database]);
  const { type, code, message, stack } = loggedError(error);
  return new StartupError("Something that is not known has failed:", [
    [`${type}${code === undefined ? "" : ` ${code}`}: ${message}`, ...(stack?.split("\n") ?? [])].join(
      "\n    ",
    ),
  ]);
}

/** What is wrong with the database that cannot be opened or migrated, and what to do; null for other errors. */
function databaseProblem(error: unknown, { databaseUrl, dataDir }: Places): string | null {
  if (databaseUrl !== null) return postgresProblem(error, databaseUrl);
  const directory = path.join(dataDir, "pg");
  const version = versionOf(directory);
  if (version !== null && version !== EMBEDDED_POSTGRESQL)
    return `${directory} was made by PostgreSQL ${version} and this program has ${EMBEDDED_POSTGRESQL}; move it with the program that made it (npm run db:move), or set DATA_DIR to another path`;
  if (sqlState(error) === null && !messageOfCause(error).includes("PGlite")) return null;
  return `the embedded database in ${directory} cannot be used (${messageOfCause(error)}); bring the directory back from a backup, or set DATA_DIR to another path`;
}

/** PostgreSQL's major version that made a directory; null when there is none. */
function versionOf(directory: string): string | null {
  const file = path.join(directory, "PG_VERSION");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

/** What is wrong with files below the data directory, and what to do, by the system's code. */
const fileProblems: Record<string, (place: string, dataDir: string) => string> = {
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  EROFS: (place, dataDir) =>
    `${place} is on a file system that is mounted read-only; mount a writable one at ${dataDir}, or set DATA_DIR to another path`,
  ENOSPC: (place) => `there is no space left for ${place}; make room on its file system`,
  EDQUOT: (place) => `there is no space left for ${place}; raise the quota of this user, or make room`,
  ENOTDIR: isNoDirectory,
  EEXIST: isNoDirectory,
  EISDIR: (place) => `${place} is a directory where a file belongs; move it away`,
  ENOENT: (place) =>
    `${place} cannot be made, because a link in its path leads nowhere; correct the link or DATA_DIR`,
  EMFILE: (place) =>
    `${place} cannot be opened: this process may open no more files; raise its limit (ulimit -n)`,
  EIO: (place) => `${place} cannot be read or written: its disk has failed; look at the system's log`,
};

function mayNotWrite(place: string, dataDir: string): string {
  const user = process.getuid === undefined ? "this user" : `the user ${process.getuid()}`;
  return `${place} may not be read or written by ${user}; let that user own ${dataDir} (chown), or set DATA_DIR to another path`;
}

function isNoDirectory(_place: string, dataDir: string): string {
  return `${dataDir} is no directory; move it away, or set DATA_DIR to another path`;
}

/** What is wrong with a file of the data directory, and what to do; null for other errors. */
function dataDirectoryProblem(error: unknown, dataDir: string): string | null {
  if (!isFileError(error)) return null;
  const problem = fileProblems[codeOf(error) ?? ""];
  return problem?.(placeOf(error) ?? dataDir, dataDir) ?? null;
}

/** True for an error of a file, false for one of a socket. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause instanceof Error) return isFileError(error.cause);
  return "errno" in error && !("address" in error) && !("hostname" in error) && placeOf(error) !== null;
}

function placeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const place: unknown = Reflect.get(error.cause instanceof Error ? error.cause : error, "path");
  return typeof place === "string" ? place : null;
}
