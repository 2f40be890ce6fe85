"use client";

import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../api/client";
import { keyUnder } from "../api/read";
import { refreshKeys } from "../api/refresh";

/** Calls an operation on projects by its name, then reads again what it may have changed. */
export function useProjectCall(): typeof callApi {
  const client = useQueryClient();
  return async (name, ...input) => {
    const answer = await callApi(name, ...input);
    await Promise.all([
      client.invalidateQueries({ queryKey: keyUnder("/api/user/projects") }),
      client.invalidateQueries({ queryKey: keyUnder("/api/admin/projects") }),
      refreshKeys(client),
    ]);
    return answer;
  };
}
