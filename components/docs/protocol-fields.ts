import { type Fate, fieldFates, fieldNames } from "@/lib/protocols/generation/concepts";
import {
  type ClientProtocol,
  clientProtocols,
  type NodeProtocol,
  nodeProtocols,
} from "@/lib/protocols/protocol";
import { clientAdapters, nodeAdapters } from "@/lib/protocols/registry";

/** What becomes of a field of one protocol on the nodes of the others. */
export interface FieldRow {
  field: string;
  fates: Partial<Record<NodeProtocol, Fate>>;
}

/** The fields of one protocol. */
export interface FieldTable {
  client: ClientProtocol;
  rows: FieldRow[];
}

/** The fields of each protocol with their fates, from the same tables by which the gateway converts. */
export function protocolFields(): FieldTable[] {
  return clientProtocols.map((client) => {
    const { fields } = clientAdapters[client];
    const nodes = nodeProtocols.filter((node) => node !== client);
    const fates = nodes.map((node) => fieldFates(fields, nodeAdapters[node].concepts));
    const rows = fieldNames(fields).map((field) => ({
      field,
      fates: Object.fromEntries(nodes.map((node, index) => [node, fates[index]?.[field]?.fate ?? "dropped"])),
    }));
    return { client, rows };
  });
}
