import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** The permission bits of group and others. */
const OTHERS_MODE = 0o077;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const STICKY = 0o1000;

/** Entries that the gateway itself creates in its data directory. */
const OWN_ENTRIES = /^(pg|spool|secrets\.json.*|lock(\..*)?)$/;

/** Entries of a data directory that other users could access. */
export interface OpenEntries {
  /** How many files and folders have been made private. */
  tightened: number;
  /** Entries whose mode cannot be changed, e.g. because another user owns them, with the system's error code. */
  unchanged: readonly { place: string; failure: string }[];
}

/**
 * Makes files and folders that this process creates from now on accessible to its user only.
 * Source: docs/contract.md#b17.
 */
export function keepFilesPrivate(): void {
  process.umask(OTHERS_MODE);
}

/**
 * Removes the permissions of group and others from the data directory: files become 0600, folders 0700. Does not follow
 * links. A directory with other contents (the program, a home, a shared temporary directory) keeps its own mode, and
 * only the entries that the gateway creates are changed in it.
 * Source: docs/contract.md#b17.
 */
export function makePrivate(dataDir: string): OpenEntries {
  let tightened = 0;
  const unchanged: { place: string; failure: string }[] = [];
  walk(dataDir, (place) => {
    const failure = makeEntryPrivate(place);
    if (failure === null) tightened++;
    else if (failure !== "ENOENT") unchanged.push({ place, failure });
  });
  return { tightened, unchanged };
}

/** Counts the files and folders that `makePrivate` would change. */
export function countOpen(dataDir: string): number {
  let open = 0;
  walk(dataDir, () => open++);
  return open;
}

/** Warnings about what `makePrivate` changed or could not change; empty when everything was private. */
export function privacyNotes(dataDir: string, { tightened, unchanged }: OpenEntries): string[] {
  const notes: string[] = [];
  if (tightened > 0)
    notes.push(
      `${dataDir} was open to other users of this machine and is private now (files 0600, folders 0700; changed: ${tightened})`,
    );
  const first = unchanged[0];
  if (first !== undefined)
    notes.push(
      `${dataDir} stays open to other users of this machine in ${unchanged.length} of its files and folders, whose modes cannot be changed (${first.failure}: ${first.place}); let the user of this process own them, or mount them with private modes`,
    );
  return notes;
}

/** Calls `onOpen` for entries that others can access, a folder before its contents so that these cannot be replaced. */
function walk(dataDir: string, onOpen: (place: string) => void): void {
  if (process.platform === "win32") return; // Windows does not use POSIX modes
  const top = realPathOf(dataDir);
  if (top === null || !lstatSync(top).isDirectory()) return;
  const visit = (place: string) => {
    const entry = lstatSync(place, { throwIfNoEntry: false });
    if (entry === undefined || !(entry.isFile() || entry.isDirectory())) return;
    if ((entry.mode & OTHERS_MODE) !== 0) onOpen(place);
    if (entry.isDirectory()) for (const name of listNames(place)) visit(path.join(place, name));
  };
  if (!isShared(top)) visit(top);
  else
    for (const name of listNames(top))
      if (OWN_ENTRIES.test(name)) visit(path.join(/* turbopackIgnore: true */ top, name));
}

/** Changes the mode through a descriptor that follows no link, because another user could replace the entry by one. */
function makeEntryPrivate(place: string): string | null {
  try {
    const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const entry = fstatSync(descriptor);
      if (entry.isDirectory()) fchmodSync(descriptor, PRIVATE_FOLDER);
      else if (entry.isFile()) fchmodSync(descriptor, PRIVATE_FILE);
      return null;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return codeOf(error);
  }
}

/** True for a directory with contents that do not belong to the gateway. */
function isShared(directory: string): boolean {
  const inside = [process.cwd(), homedir()].map(realPathOf);
  return (
    path.dirname(directory) === directory ||
    (lstatSync(directory).mode & STICKY) !== 0 ||
    inside.some((other) => other !== null && `${other}${path.sep}`.startsWith(`${directory}${path.sep}`))
  );
}

/** The names in a folder; none when it cannot be read or was deleted. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    codeOf(error);
    return [];
  }
}

function realPathOf(place: string): string | null {
  try {
    return realpathSync(place);
  } catch (error) {
    codeOf(error);
    return null;
  }
}

/** The system's code of a file error. Throws: any other error. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
