// A reporter of vitest that writes the tests that fail into the file RAN_FAILED: a line has file and name, or the file alone
// where its tests cannot be collected.
import fs from "node:fs";
import path from "node:path";

export default class Failed {
  onTestRunEnd(modules) {
    const lines = modules.flatMap((module) => {
      const file = path.relative(process.env.RAN_ROOT, module.moduleId);
      const failed = [...module.children.allTests("failed")].map((test) => `${file}\t${test.fullName.replace(/\s+/g, " ")}`);
      return failed.length === 0 && module.state() === "failed" ? [file] : failed;
    });
    fs.writeFileSync(process.env.RAN_FAILED, lines.map((line) => `${line}\n`).join(""));
  }
}
