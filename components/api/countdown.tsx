"use client";

import { useEffect, useState } from "react";
import { fill } from "../i18n/fill";

/** A countdown, and an action that is enabled when it ends. */
export function Countdown(props: { seconds: number; message: string; over: string }) {
  const remaining = useCountdown(props.seconds);
  return (
    <p className="tabular">{remaining === 0 ? props.over : fill(props.message, { seconds: remaining })}</p>
  );
}

/** The remaining seconds of a wait that starts when `seconds` changes. */
function useCountdown(seconds: number): number {
  const [remaining, setRemaining] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    setRemaining(seconds);
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setRemaining(now);
      if (now === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return remaining;
}
