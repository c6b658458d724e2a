// A reporter of Vitest for `npm test`: writes what passed and what failed to the file that TEST_REPORT names. Unlike
// Vitest's own JSON report it has the errors thrown outside of every test, each with the file that was running.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

export default class TestReport {
  onTestRunEnd(modules, uncaught) {
    const report = { passed: 0, failures: [] };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      // A file that fails to load has errors and no tests.
      for (const error of module.errors()) report.failures.push(failureOf(file, "(the file)", error));
      for (const test of module.children.allTests()) addTest(report, file, test);
      for (const suite of module.children.allSuites())
        for (const error of suite.errors()) report.failures.push(failureOf(file, suite.fullName, error));
    }
    for (const error of uncaught) {
      const path = error.VITEST_TEST_PATH;
      const file = path === undefined ? undefined : relative(process.cwd(), path);
      report.failures.push(failureOf(file, "(an error outside of the tests)", error));
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

/** A skipped test is a failure: nothing is skipped here. */
function addTest(report, file, test) {
  const { state, errors } = test.result();
  if (state === "passed") report.passed += 1;
  else report.failures.push(failureOf(file, test.fullName, errors?.[0] ?? { message: state }));
}

/** The stack of some errors, such as a timeout, lacks their message. */
function failureOf(file, title, { message = "", stack = "" }) {
  return { file, title, message: stack.includes(message) ? stack : `${message}\n${stack}` };
}
