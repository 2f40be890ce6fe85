import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, keyMoney } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { openStreams, Rig } from "./support/rig";

/** The spool takes 64 MiB of it. */
const DISK_MIB = 80;
const STREAMS = 50;
/** 1,000 tokens at 100 and 500 at 300 cents a million. Units: cents. */
const COST = 0.25;

const disk = mkdtempSync(path.join(tmpdir(), "tollgate-disk-"));
const postgres = await postgresServer();
const without = "unavailable" in postgres ? postgres.unavailable : mountDisk();

/** A small disk of our own; why there is none, or null. */
function mountDisk(): string | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", disk], { stdio: "ignore" });
    return null;
  } catch {
    return "a disk can be mounted by root only";
  }
}

/** Writes until nothing more fits. */
function fillDisk(): void {
  const file = openSync(path.join(disk, "filler"), "w");
  const piece = Buffer.alloc(64 * 1024, 1);
  for (;;) {
    try {
      if (writeSync(file, piece) < piece.length) return;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOSPC") return;
      throw error;
    }
  }
}

/** Source: docs/reliability.md#r-49. */
describe.skipIf(without !== null)(
  `a data disk without a free byte${without === null ? "" : ` (${without})`}`,
  () => {
    let rig: Rig;
    let user: TestUser;
    beforeAll(async () => {
      rig = await Rig.start({
        database: "postgres",
        models: [{ alias: "steady", routes: [["chat", "sim-chunks-30+every-100ms+usage-1000-500"]] }],
        env: { DATA_DIR: path.join(disk, "data") },
      });
      user = await rig.gateway.key();
    });
    afterAll(async () => {
      await rig.stop();
      // The killed process may hold it for a moment more.
      execFileSync("umount", ["--lazy", disk]);
      rmSync(disk, { recursive: true });
    });

    test("hinders nothing: calls are served, and while the database is away the spool takes every settlement", async () => {
      fillDisk();
      const healthy = await openStreams(rig.server, user, "steady", STREAMS);
      expect((await healthy.all).filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(STREAMS);
      const cut = await openStreams(rig.server, user, "steady", STREAMS);
      rig.proxy.fail("refuse");
      expect((await cut.all).filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(STREAMS);
      rig.proxy.heal();
      await eventually(async () => {
        const money = await keyMoney(rig.server, user).catch(() => null);
        return money?.usedQuota === 2 * STREAMS * COST ? true : null;
      }, 30_000);
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 2 * STREAMS * COST, held: 0 });
    });
  },
);
