// A reporter of node:test that names the tests that fail: a line has file and name, or the file alone where it cannot run.
import path from "node:path";

export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.details?.error?.failureType === "subtestsFailed") continue;
    const file = path.relative(process.env.RAN_ROOT, data.file ?? data.name);
    const whole = path.resolve(data.name) === path.resolve(process.env.RAN_ROOT, file);
    yield whole ? `${file}\n` : `${file}\t${data.name.replace(/\s+/g, " ")}\n`;
  }
}
