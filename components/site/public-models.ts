import { listModels } from "@/lib/api/model-list";
import { runtime } from "@/lib/gateway/runtime";
import type { CatalogModel } from "../api/types";

/** The live models with their prices, as everybody may see them. */
export function publicModels(): CatalogModel[] {
  return listModels(runtime().catalog.current);
}
