import { protocols } from "@/lib/protocols/registry";
import { describeAdapters } from "./conformance";
import { describeRequests } from "./conformance-requests";
import { toyAdapter } from "./toy";

const registry = {
  ...protocols,
  toy: toyAdapter, // a protocol more is this line and its own file
};

describeAdapters(registry);
describeRequests(registry);
