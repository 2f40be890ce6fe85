import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { countWaiting } from "@/lib/billing/spool-file";
import type { Settings } from "@/lib/config/env";
import { countOpen } from "@/lib/db/private-directory";
import { messageOfCause } from "@/lib/ops/log-error";
import { type Finding, ill, well } from "./finding";

const MIB = 1024 * 1024;
const MIN_FREE_MIB = 256;

/**
 * Checks the data directory: free disk space, permissions, and settlements in abandoned spool files. Changes nothing.
 * Throws: the system's error when the directory may not be read or written.
 */
export async function dataDirectory(settings: Settings): Promise<Finding[]> {
  const { dataDir } = settings;
  if (!existsSync(dataDir)) return [well("disk", `${dataDir} is not made yet`)];
  if (!statSync(dataDir).isDirectory())
    return [ill("disk", `${dataDir} is no directory; move it away, or set DATA_DIR to another path`)];
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  return [room(dataDir), ...privacy(dataDir), ...(await abandonedSettlements(path.join(dataDir, "spool")))];
}

function privacy(dataDir: string): Finding[] {
  const open = countOpen(dataDir);
  if (open === 0) return [];
  const what = `${open} files and folders in ${dataDir} are open to other users of this machine`;
  return [ill("disk", `${what}; the next npm start makes private what this user owns`)];
}

function room(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  return freeMib < MIN_FREE_MIB
    ? ill("disk", `${freeMib} MiB are free under ${dataDir}; make room before the database there has none`)
    : well("disk", `${freeMib} MiB are free under ${dataDir}`);
}

async function abandonedSettlements(directory: string): Promise<Finding[]> {
  if (!existsSync(directory)) return [];
  const findings: Finding[] = [];
  for (const name of readdirSync(directory).filter((file) => file.endsWith(".bin"))) {
    try {
      const waiting = await countWaiting(path.join(directory, name));
      if (waiting > 0)
        findings.push(
          ill(
            "spool",
            `${waiting} settlements wait in ${name}; a start with the database running brings them in`,
          ),
        );
    } catch (error) {
      findings.push(
        ill("spool", `${name} cannot be read (${messageOfCause(error)}); correct its permissions`),
      );
    }
  }
  return findings;
}
