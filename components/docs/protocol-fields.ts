import { type Fate, fieldFates } from "@/lib/protocols/generation/concepts";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";

/** What becomes of a field of one protocol on the nodes of the others. */
export interface FieldRow {
  field: string;
  fates: Partial<Record<Protocol, Fate>>;
}

/** The fields of each protocol with their fates, from the same tables by which the gateway converts. */
export function protocolFields(): Array<{ client: Protocol; rows: FieldRow[] }> {
  return protocolIds.map((client) => {
    const nodes = protocolIds.filter((node) => node !== client);
    const fates = nodes.map((node) => fieldFates(protocols[client].fields, protocols[node].concepts));
    const rows = Object.keys(protocols[client].fields).map((field) => ({
      field,
      fates: Object.fromEntries(nodes.map((node, index) => [node, fates[index]?.[field]?.fate ?? "dropped"])),
    }));
    return { client, rows };
  });
}
