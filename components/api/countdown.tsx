"use client";

import { useEffect, useState } from "react";
import { fill } from "../i18n/fill";

/** A countdown, and an action that is enabled when it ends. */
export function Countdown(props: { seconds: number; message: string; over: string }) {
  const left = useCountdown(props.seconds);
  return <p className="tabular">{left === 0 ? props.over : fill(props.message, { seconds: left })}</p>;
}

/** The remaining seconds of a wait that starts when `seconds` changes. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(now);
      if (now === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
