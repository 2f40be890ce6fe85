/** An integer of 10^-`digits` as exact decimal text without trailing zeros. */
export function decimalOf(value: bigint, digits: number): string {
  const sign = value < 0n ? "-" : "";
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  const whole = text.slice(0, -digits);
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
