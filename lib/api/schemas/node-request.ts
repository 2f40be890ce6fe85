import { nodeEntry } from "@/lib/config/file-schema";

/** POST and PATCH /api/admin/nodes; bodies use the names of `tollgate.yaml`. */
export const nodeRequest = nodeEntry;
