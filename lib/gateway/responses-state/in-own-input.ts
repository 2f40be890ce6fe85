import { GatewayError, isGatewayError } from "@/lib/kernel/errors";

/**
 * Converts an error about input that begins with `inherited` items to one about the client's own input: errors about
 * inherited items name `previous_response_id`.
 */
export function inOwnInput(error: unknown, inherited: number): unknown {
  if (inherited === 0 || !isGatewayError(error) || error.details.param === undefined) return error;
  const { param } = error.details;
  if (param === "input") return ofBothInputs(error, inherited);
  const index = /^input\[(\d+)\]/.exec(param);
  if (index === null) return error;
  const own = Number(index[1]) - inherited;
  const shown = own < 0 ? "previous_response_id" : `input[${own}]${param.slice(index[0].length)}`;
  const message = error.message.replaceAll(param, shown);
  return new GatewayError(error.code, message, {
    ...error.details,
    param: shown,
    fields: { [shown]: [message] },
  });
}

/** The bound of a list applies to inherited and own items together, so the message says so. */
function ofBothInputs({ code, message, details }: GatewayError, inherited: number): GatewayError {
  const told = message.replace(
    / entries\.$/,
    ` entries together with the ${inherited} that previous_response_id refers to.`,
  );
  return new GatewayError(code, told, { ...details, fields: { input: [told] } });
}
