import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const refused = vi.hoisted(() => ({ code: null as string | null }));
vi.mock("node:fs", async (importReal) => {
  const real = await importReal<typeof import("node:fs")>();
  const fchmodSync: typeof real.fchmodSync = (descriptor, mode) => {
    if (refused.code !== null) throw Object.assign(new Error("refused"), { code: refused.code });
    real.fchmodSync(descriptor, mode);
  };
  return { ...real, fchmodSync };
});
// Test files share their modules; this one needs its own, over the files above.
vi.resetModules();
const { countOpen, makePrivate, privacyNotes } = await import("@/lib/db/private-directory");

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tollgate-private-"));
  dataDir = path.join(folder, "data");
  write("pg/base/1/1259", 0o666);
  write("spool/spool-0.bin", 0o644);
  write("secrets.json", 0o777);
  write("notes/restore.txt", 0o640);
  for (const name of ["pg/base/1", "pg/base", "pg", "spool", "notes", ""])
    chmodSync(path.join(dataDir, name), 0o777);
});
afterEach(() => {
  refused.code = null;
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function write(name: string, mode: number): void {
  const file = path.join(dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  chmodSync(file, mode);
}

function modeOf(place: string): string {
  return (lstatSync(place).mode & 0o7777).toString(8);
}

/** The mode of everything in the data directory, by its name; "." is the directory itself. */
function modes(): Record<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  return Object.fromEntries([".", ...names].map((name) => [name, modeOf(path.join(dataDir, name))]));
}

describe("a data directory that is open to others", () => {
  test("becomes private as a whole: files 0600, folders 0700", () => {
    expect(countOpen(dataDir)).toBe(10);
    expect(makePrivate(dataDir)).toEqual({ tightened: 10, unchanged: [] });
    expect(modes()).toEqual({
      ".": "700",
      notes: "700",
      "notes/restore.txt": "600",
      pg: "700",
      "pg/base": "700",
      "pg/base/1": "700",
      "pg/base/1/1259": "600",
      "secrets.json": "600",
      spool: "700",
      "spool/spool-0.bin": "600",
    });
    expect(countOpen(dataDir)).toBe(0);
    expect(makePrivate(dataDir)).toEqual({ tightened: 0, unchanged: [] });
  });

  test("is told of in one sentence, and a private one in none", () => {
    const notes = privacyNotes(dataDir, makePrivate(dataDir));
    expect(notes).toEqual([
      `${dataDir} was open to other users of this machine and is private now (files 0600, folders 0700; changed: 10)`,
    ]);
    expect(privacyNotes(dataDir, makePrivate(dataDir))).toEqual([]);
  });

  test("is followed where it is a link itself, but no link in it is", () => {
    const outside = path.join(folder, "outside");
    writeFileSync(outside, "");
    chmodSync(outside, 0o666);
    symlinkSync(outside, path.join(dataDir, "link"));
    const entrance = path.join(folder, "entrance");
    symlinkSync(dataDir, entrance);
    expect(makePrivate(entrance)).toEqual({ tightened: 10, unchanged: [] });
    expect(modeOf(outside)).toBe("666");
  });

  test.each(["EPERM", "EROFS"])("is reported and left where modes cannot be changed (%s)", (code) => {
    refused.code = code;
    const before = modes();
    const result = makePrivate(dataDir);
    expect(modes()).toEqual(before);
    expect([result.tightened, result.unchanged.length]).toEqual([0, 10]);
    const [note, ...more] = privacyNotes(dataDir, result);
    expect(note).toContain(
      `${dataDir} stays open to other users of this machine in 10 of its files and folders`,
    );
    expect(note).toContain(`${code}: ${dataDir}`);
    expect(more).toEqual([]);
  });

  test("that also holds the program keeps everything that is not the gateway's own", () => {
    vi.spyOn(process, "cwd").mockReturnValue(path.join(dataDir, "notes"));
    makePrivate(dataDir);
    expect(modes()).toMatchObject({
      ".": "777",
      notes: "777",
      "notes/restore.txt": "640",
      "pg/base/1/1259": "600",
      "secrets.json": "600",
      "spool/spool-0.bin": "600",
    });
  });

  test("that is shared by all, as the system's temporary directory is, stays so", () => {
    chmodSync(dataDir, 0o1777);
    makePrivate(dataDir);
    expect(modes()).toMatchObject({ ".": "1777", "notes/restore.txt": "640", "secrets.json": "600" });
  });
});

test("a data directory that is not there is neither made nor reported", () => {
  const missing = path.join(folder, "missing");
  expect(makePrivate(missing)).toEqual({ tightened: 0, unchanged: [] });
  expect(readdirSync(folder)).toEqual(["data"]);
});
