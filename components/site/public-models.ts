import { listModels } from "@/lib/api/model-list";
import { runtime } from "@/lib/gateway/runtime";
import type { CatalogModel } from "../api/types";

/** The live models with their public prices. */
export function publicModels(): CatalogModel[] {
  return listModels(runtime().catalog.current);
}
