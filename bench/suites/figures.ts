import { besideFigures } from "../figures/beside";
import { blockFigures, giants } from "../figures/blocks";
import type { Figure } from "../figures/figure";
import { historyFigures } from "../figures/histories";
import { idleFigures } from "../figures/idle";
import { overloadFigures } from "../figures/overload";
import { soakFigures } from "../figures/soak";
import { socketSessionFigures } from "../figures/socket-session";
import { startFigure } from "../figures/start";
import { flood, idle, openStreamFigure, slowReaderFigures } from "../figures/streams";
import { Fleet } from "../fleet";
import { wrkVersion } from "../load/wrk";
import type { Options } from "../options";
import { heavy, small, tiny } from "../payloads";
import { chosenArms } from "./suite";

const QUICK_SHARE = 0.1;
const BESIDE_ROUNDS = 3;
/** Slow answers are seldom: a window of a small request takes as long as so many others. */
const BESIDE_WINDOWS = 4;

/** Measurements without comparison: event loop blocks, memory, slow readers, start time; added to `figures`. */
export async function runFigures(options: Options, directory: string, figures: Figure[]): Promise<void> {
  const fleet = await Fleet.start(directory, [small, idle, flood, ...giants]);
  try {
    figures.push(...(await idleFigures(fleet)));
    await (await fleet.server("tollgate")).child.stop("SIGTERM");
    figures.push(...(await blockFigures(fleet)));
    const share = options.quick ? QUICK_SHARE : 1;
    figures.push(await openStreamFigure(fleet, share), ...(await slowReaderFigures(fleet, share)));
    if (options.built) figures.push(await startFigure(directory));
  } finally {
    await fleet.stop();
  }
}

/** As long as the target says; and what shows the same within a complete run. Source: docs/performance.md#s3. */
const OVERLOAD_SECONDS = { alone: 120, inFullRun: 30 } as const;

/** Overload; added to `figures`. Throws: when it is asked for and there is no wrk. */
export async function runOverload(options: Options, directory: string, figures: Figure[]): Promise<void> {
  const isAlone = options.suites !== null;
  if (wrkVersion() === null) {
    if (isAlone) throw new Error("the overload suite needs wrk");
    process.stdout.write("  overload is left out: there is no wrk\n");
    return;
  }
  const seconds = isAlone ? OVERLOAD_SECONDS.alone : OVERLOAD_SECONDS.inFullRun;
  const fleet = await Fleet.start(directory, [small]);
  try {
    figures.push(...(await overloadFigures(fleet, seconds)));
  } finally {
    await fleet.stop();
  }
}

/** A small request beside large bodies; added to `figures`. */
export async function runBeside(options: Options, directory: string, figures: Figure[]): Promise<void> {
  const fleet = await Fleet.start(directory, [tiny, heavy], options.base);
  try {
    const arms = await fleet.arms(chosenArms(options, ["lean", "tollgate", "converted"]));
    const rounds = Math.min(options.rounds, BESIDE_ROUNDS);
    const windowMs = options.seconds * BESIDE_WINDOWS * 1_000;
    figures.push(...(await besideFigures(fleet, arms, { rounds, windowMs })));
  } finally {
    await fleet.stop();
  }
}

/** What callers of large stored responses leave to bystanders; added to `figures`. */
export async function runHistories(directory: string, figures: Figure[]): Promise<void> {
  const fleet = await Fleet.start(directory, [small]);
  try {
    figures.push(...(await historyFigures(fleet)));
  } finally {
    await fleet.stop();
  }
}

/** A session over WebSocket against the same over HTTP; added to `figures`. */
export async function runSockets(directory: string, figures: Figure[]): Promise<void> {
  const fleet = await Fleet.start(directory, [small]);
  try {
    figures.push(...(await socketSessionFigures(fleet)));
  } finally {
    await fleet.stop();
  }
}

/** Memory: idle, in some minutes of a steady load, and of open streams; added to `figures`. */
export async function runSoak(options: Options, directory: string, figures: Figure[]): Promise<void> {
  const fleet = await Fleet.start(directory, [small, idle]);
  try {
    figures.push(...(await idleFigures(fleet)));
    figures.push(...(await soakFigures(fleet, options.soakMinutes)));
    figures.push(await openStreamFigure(fleet, 1));
  } finally {
    await fleet.stop();
  }
}
