"use client";

import { SECOND_MS } from "@/lib/kernel/durations";
import { useRead } from "../api/use-read";
import { useFormat } from "../i18n/provider";
import { type LogFilters, type LogPath, volumeQuery } from "./log-query";

const LIVE_VOLUME_MS = 5 * SECOND_MS;

/** The requests of the log over time; of a log that is followed, seconds old at most. */
export function useLogVolume(filters: LogFilters, path: LogPath, live: boolean) {
  const query = volumeQuery(filters, useFormat().timeZone);
  return useRead(`GET ${path}/volume`, { query }, live ? { refetchInterval: LIVE_VOLUME_MS } : {});
}
