"use client";

import { useRead } from "./use-read";

/** The live models that generate. */
export function useGeneratingModels() {
  return useRead("GET /api/user/models").data?.data.filter(({ kind }) => kind === "generation") ?? [];
}
