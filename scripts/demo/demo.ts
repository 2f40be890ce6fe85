import type { Demo } from "../../lib/process/demo";

/** The demo's seed and live traffic, loaded when they are used. */
export const demo: Demo = {
  async seed(db, adminId, now) {
    const { seedDemo } = await import("./seed");
    return seedDemo(db, adminId, now);
  },
  async playLiveTraffic(db, url, ended) {
    const { playLiveTraffic } = await import("./live-traffic");
    await playLiveTraffic(db, url, ended);
  },
};
