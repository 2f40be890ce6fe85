import { setTimeout as sleep } from "node:timers/promises";
import type { Fleet } from "../fleet";
import { descendantsResidentBytes, residentBytes } from "../process-usage";
import { atMost, type Figure } from "./figure";

const MB = 1_000_000;
const SETTLING_MS = 10_000;

/** Resident memory of a gateway with PostgreSQL that has served nothing yet, and of the processes it has started. */
export async function idleFigures(fleet: Fleet): Promise<Figure[]> {
  const server = await fleet.server("tollgate");
  await sleep(SETTLING_MS);
  const gateway = residentBytes(server.pid) / MB;
  const children = descendantsResidentBytes(server.pid) / MB;
  const name = "resident memory of the idle gateway process, PostgreSQL";
  return [
    { name, value: gateway, unit: "MB", goal: atMost(150) },
    { name: "resident memory of the processes it has started", value: children, unit: "MB", goal: null },
  ];
}
