import { JsonReporter } from "vitest/node";

/** The JSON report of vitest, with the errors that no test has caught: `errorsOutsideTests`, their stacks. */
export default class VitestReport extends JsonReporter {
  #errors = [];

  async onTestRunEnd(modules, errors, reason) {
    this.#errors = errors.map(({ stack, message, VITEST_TEST_NAME }) =>
      [VITEST_TEST_NAME, stack ?? message].filter(Boolean).join(": "),
    );
    await super.onTestRunEnd(modules, errors, reason);
  }

  async writeReport(report) {
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), errorsOutsideTests: this.#errors }));
  }
}
