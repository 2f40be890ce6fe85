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

/** The rights of everybody but the owner. */
const OTHERS = 0o077;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const STICKY = 0o1000;

/** What the gateway itself writes into its data directory. */
const OWN_ENTRIES = /^(pg|spool|secrets\.json.*|lock(\..*)?)$/;

/** What was open to others in a data directory. */
export interface OpenEntries {
  /** Files and folders that are private now. */
  tightened: number;
  /** Those that could not be changed, e.g. because another user owns them, with the system's error code. */
  left: readonly { place: string; failure: string }[];
}

/** From here on, files and folders that this process makes are for its user alone. Source: docs/contract.md#b17. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Takes from everybody but the owner all rights to what is in the data directory: files become 0600, folders 0700.
 * Links are not followed. A directory that also holds other things (the program, a home, a shared temporary directory)
 * keeps its own mode, and in it only what the gateway itself writes is changed.
 * Source: docs/contract.md#b17.
 */
export function makePrivate(dataDir: string): OpenEntries {
  let tightened = 0;
  const left: { place: string; failure: string }[] = [];
  walk(dataDir, (place) => {
    const failure = tighten(place);
    if (failure === null) tightened++;
    else if (failure !== "ENOENT") left.push({ place, failure });
  });
  return { tightened, left };
}

/** How many files and folders `makePrivate` would change. Changes nothing. */
export function countOpen(dataDir: string): number {
  let open = 0;
  walk(dataDir, () => open++);
  return open;
}

/** The sentences that tell what `makePrivate` did; none when nothing was open. */
export function privacyNotes(dataDir: string, { tightened, left }: OpenEntries): string[] {
  const notes: string[] = [];
  if (tightened > 0)
    notes.push(
      `${dataDir} was open to other users of this machine and is private now (files 0600, folders 0700; changed: ${tightened})`,
    );
  const first = left[0];
  if (first !== undefined)
    notes.push(
      `${dataDir} stays open to other users of this machine in ${left.length} of its files and folders, whose modes cannot be changed (${first.failure}: ${first.place}); let the user of this process own them, or mount them with private modes`,
    );
  return notes;
}

/** Calls `onOpen` for all that is open to others, a folder before its contents: then nobody can swap what is in it. */
function walk(dataDir: string, onOpen: (place: string) => void): void {
  if (process.platform === "win32") return; // modes mean nothing there
  const top = realPathOf(dataDir);
  if (top === null || !lstatSync(top).isDirectory()) return;
  const visit = (place: string) => {
    const entry = lstatSync(place, { throwIfNoEntry: false });
    if (entry === undefined || !(entry.isFile() || entry.isDirectory())) return;
    if ((entry.mode & OTHERS) !== 0) onOpen(place);
    if (entry.isDirectory()) for (const name of namesIn(place)) visit(path.join(place, name));
  };
  if (!holdsOtherThings(top)) visit(top);
  else
    for (const name of namesIn(top))
      if (OWN_ENTRIES.test(name)) visit(path.join(/* turbopackIgnore: true */ top, name));
}

/** Through a descriptor that follows no link: between looking and changing, another user may put a link in its place. */
function tighten(place: string): string | null {
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

/** True for a directory whose other contents are not ours to change. */
function holdsOtherThings(directory: string): boolean {
  const inside = [process.cwd(), homedir()].map(realPathOf);
  return (
    path.dirname(directory) === directory ||
    (lstatSync(directory).mode & STICKY) !== 0 ||
    inside.some((other) => other !== null && `${other}${path.sep}`.startsWith(`${directory}${path.sep}`))
  );
}

/** A folder that cannot be read, or is gone, has no names; when it is open to others, that was told. */
function namesIn(folder: string): string[] {
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

/** The system's code of a file error. Throws: the error, when it is none. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
