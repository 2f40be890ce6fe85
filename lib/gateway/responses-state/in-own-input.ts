import { GatewayError, isGatewayError } from "@/lib/kernel/errors";

/**
 * An error about a request whose input begins with `inherited` items, as an error about the client's own input: an
 * inherited item is a matter of `previous_response_id`.
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

/** The bound of a list holds for inherited and own items together, which the text has to say. */
function ofBothInputs({ code, message, details }: GatewayError, inherited: number): GatewayError {
  const told = message.replace(
    / entries\.$/,
    ` entries together with the ${inherited} that previous_response_id refers to.`,
  );
  return new GatewayError(code, told, { ...details, fields: { input: [told] } });
}
