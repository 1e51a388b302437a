// What the command check writes as SARIF is valid by the standard's schema. The Go tests hold the command to the file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);
const schema = JSON.parse(readFileSync(require.resolve("@microsoft/jest-sarif").replace(/index\.js$/u, "schemas/sarif-2.1.0-rtm.5.json"), "utf8"));
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);
const report = () => JSON.parse(readFileSync(new URL("../cmd/gitnexus-mcp/testdata/check/report.sarif", import.meta.url), "utf8"));

test("SARIF of check is valid", () => {
  assert.ok(validate(report()), JSON.stringify(validate.errors, null, 2));
});

test("a log that is wrong would be noticed", () => {
  const wrong = report();
  wrong.runs[0].results[0].level = "fatal";
  assert.equal(validate(wrong), false);
});
