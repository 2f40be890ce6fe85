import { type BillPlace, type BillProblem, MAX_BILL_ROWS } from "@/lib/shared/provider-bills/bill";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";

/** Why an export cannot be read, and what would be right, in the reader's language. */
export function useProblemWords(): (problem: BillProblem) => string {
  const text = useMessages("providerBill");
  const format = useFormat();
  const { problems, vendors } = text;
  const placeOf = (place: BillPlace) =>
    "path" in place
      ? fill(text.atPath, { path: place.path })
      : fill(text.atRow, { row: format.countFull(place.row), column: place.column });
  return (problem) => {
    switch (problem.kind) {
      case "empty":
      case "noRows":
        return problems[problem.kind];
      case "json":
      case "jsonEnd": {
        const [line = "", column = ""] = [problem.line, problem.column].map(format.countFull);
        return fill(problems[problem.kind], { found: problem.found, line, column });
      }
      case "unknown":
        return fill(problems.unknown, { found: format.list(problem.found) });
      case "missing":
        return fill(problems.missing, {
          vendor: vendors[problem.vendor],
          missing: format.list(problem.missing),
        });
      case "value":
        return fill(text.wrong, {
          place: placeOf(problem.place),
          found: problem.found,
          rule: text.rules[problem.expected],
        });
      case "noModel":
        return fill(text.noModel[problem.vendor], { place: placeOf(problem.place) });
      case "tooMany":
        return fill(problems.tooMany, {
          count: format.countFull(problem.count),
          max: format.countFull(MAX_BILL_ROWS),
        });
      case "currencies":
        return fill(problems.currencies, { found: format.list(problem.found) });
      case "vendors":
        return fill(problems.vendors, { found: format.list(problem.found.map((vendor) => vendors[vendor])) });
    }
  };
}
