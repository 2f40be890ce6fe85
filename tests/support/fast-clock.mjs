// Loaded before the server: speeds up its clock and that of its threads by CLOCK_SPEED since CLOCK_ANCHOR.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

const speed = Number(process.env.CLOCK_SPEED);
const anchorMs = Number(process.env.CLOCK_ANCHOR);

const RealDate = Date;
const now = () => Math.floor(anchorMs + (RealDate.now() - anchorMs) * speed);
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

const performanceNow = performance.now.bind(performance);
performance.now = () => performanceNow() * speed;

for (const holder of [globalThis, timers]) {
  for (const name of ["setTimeout", "setInterval"]) {
    const real = holder[name];
    const fast = (callback, ms, ...rest) => real(callback, (ms ?? 0) / speed, ...rest);
    holder[name] = Object.defineProperties(fast, Object.getOwnPropertyDescriptors(real));
  }
}
const wait = timersPromises.setTimeout;
timersPromises.setTimeout = (ms, ...rest) => wait((ms ?? 0) / speed, ...rest);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(Math.ceil(ms / speed));
syncBuiltinESMExports();
